#!/usr/bin/env bash
# Builds a consumer of gearshift and runs it on two ranks.
#
#   bash consume.sh
#   find_package|missing_component|add_subdirectory|pkg_config|other_indices|old_language|plugin|python|fortran|picture|
#   package
#
# Environment, from tests/install/CMakeLists.txt: SOURCE (repository), BUILD (its build folder), WORK (folder to build
# in), PREFIX (installed tree), PKGCONFIG (its folder of .pc files), PETSCPC (that of PETSc), SOLID (ON/OFF), MPIRUN,
# MPICC, MPICXX, PYTHON, FLAGS (for both compilers), STATIC (the library of a static PETSc, else empty).
set -euo pipefail
way=$1
here=$SOURCE/tests/install
folder=$WORK/$way
rm -rf "$folder"
mkdir -p "$folder/source"
# CMake finds the PETSc that gearshift was built with by itself.
case $way in find_package | missing_component | fortran) unset PETSC_DIR ;; *) PKGCONFIG+=:$PETSCPC ;; esac
export PKG_CONFIG_PATH=$PKGCONFIG${PKG_CONFIG_PATH:+:$PKG_CONFIG_PATH}

# by_cmake <cmake arguments...>: configures and builds the consumer project.
by_cmake() {
  cp "$here"/{consumer,solid_consumer}.cpp "$SOURCE/examples/05_own_law/gent.hpp" "$folder/source"
  cp "$here/consumer.cmake" "$folder/source/CMakeLists.txt"
  cmake -G Ninja -S "$folder/source" -B "$folder" -DUSE="$way" \
    -DCMAKE_C_FLAGS="$FLAGS" -DCMAKE_CXX_FLAGS="$FLAGS" "$@"
  cmake --build "$folder" -j 2
}

case $way in
  find_package)
    by_cmake -DCMAKE_PREFIX_PATH="$PREFIX" -DSOLID="$SOLID"
    "$MPIRUN" -n 2 "$folder/consumer"
    [[ $SOLID == ON ]] || exit 0
    "$MPIRUN" -n 2 "$folder/solid_consumer"
    "$MPIRUN" -n 2 "$PREFIX/bin/gearshift-solid" -dll_append "$folder/libgent.so" -material gent -mu 2e4 -lambda 1e5 \
      -Jm 3 -rho 1000 -dm_plex_box_faces 2,1,1 -clamp xmin -gravity 0,0,-1 -gear_dt 0.01 -gear_t_end 0.02 \
      -output "$folder/results"
    ;;
  missing_component)
    by_cmake -DCMAKE_PREFIX_PATH="$PREFIX" -DUSE=find_package -DSOLID=ON
    ;;
  add_subdirectory)
    by_cmake -DGEARSHIFT_SOURCE="$SOURCE" -DSOLID=OFF -DGEARSHIFT_SOLID=OFF -DGEARSHIFT_UNITY=8 \
      -DCMAKE_BUILD_TYPE=Debug -DCMAKE_CXX_FLAGS_DEBUG=  # assertions, but no symbols, which are not used here
    "$MPIRUN" -n 2 "$folder/consumer"
    ;;
  pkg_config)
    read -ra flags <<<"$FLAGS $(pkg-config --cflags --libs gearshift)"
    "$MPICXX" -std=c++20 "$here/consumer.cpp" -o "$folder/consumer" "${flags[@]}"
    "$MPIRUN" -n 2 "$folder/consumer"
    [[ $SOLID == ON ]] || exit 0
    read -ra flags <<<"$FLAGS $(pkg-config --cflags --libs gearshift_solid)"
    "$MPICXX" -std=c++20 "$here/solid_consumer.cpp" -o "$folder/solid_consumer" "${flags[@]}"
    "$MPIRUN" -n 2 "$folder/solid_consumer"
    ;;
  other_indices)
    # A consumer whose PETSc has a different index size than gearshift's.
    read -ra flags <<<"$FLAGS $(pkg-config --cflags gearshift | sed 's/=32/=16/; s/=64/=32/; s/=16/=64/')"
    "$MPICXX" -std=c++20 -fsyntax-only "$here/consumer.cpp" "${flags[@]}"
    ;;
  old_language)
    # The compiler's default, or an older language: every header reports the error, and nothing else is printed.
    read -ra flags <<<"$FLAGS $(pkg-config --cflags gearshift)"
    headers=$PREFIX/$(realpath -m --relative-to="$PREFIX" "$(pkg-config --variable=includedir gearshift)")
    for header in $(cd "$headers" && find gearshift -name '*.hpp' ! -path '*/kernels/*'); do
      echo "#include <$header>" >"$folder/program.cpp"
      if "$MPICXX" -std=c++17 -fsyntax-only "$folder/program.cpp" "${flags[@]}" 2>"$folder/errors"; then
        echo "error: $header compiles as C++17" >&2
        exit 3
      fi
      grep -q 'error: .*gearshift needs C++20: compile with -std=c++20' "$folder/errors" &&
        [[ $(grep -c 'error:' "$folder/errors") == 2 ]] || { cat "$folder/errors" >&2; exit 3; }
    done
    echo "every header asks for C++20"
    ;;
  plugin)
    read -ra flags <<<"$FLAGS $(pkg-config --cflags --libs ${STATIC:+--static} PETSc) ${STATIC:+-rdynamic}"
    flags+=("-Wl,-rpath,$(pkg-config --variable=libdir PETSc)")
    "$MPICC" "$SOURCE/examples/04_any_petsc_program/string.c" -o "$folder/string" "${flags[@]}" -lm
    "$MPIRUN" -n 2 "$folder/string" -dll_append "$(pkg-config --variable=plugin gearshift)" -ts_type gear
    ;;
  python)
    PYTHONPATH=$(pkg-config --variable=pythonpath gearshift) PYTHONDONTWRITEBYTECODE=1 \
      "$MPIRUN" -n 2 "$PYTHON" "$SOURCE/examples/09_python/chain.py" -ts_rtol 1e-3 -ts_atol 1e-4
    ;;
  fortran)
    cp "$SOURCE/examples/11_fortran/string.F90" "$folder/source"
    cat >"$folder/source/CMakeLists.txt" <<'END'
cmake_minimum_required(VERSION 3.25)
project(consumer LANGUAGES C CXX Fortran)
find_package(gearshift 0.1 CONFIG REQUIRED COMPONENTS fortran)
add_executable(string string.F90)
target_link_libraries(string PRIVATE gearshift::fortran)
END
    cmake -G Ninja -S "$folder/source" -B "$folder" -DCMAKE_PREFIX_PATH="$PREFIX"
    cmake --build "$folder" -j 2
    "$MPIRUN" -n 2 "$folder/string"
    # Also with the command on the example's page.
    command=$(awk '/^mpif90 / { found = 1 } found { print } found && !/\\$/ { exit }' "$SOURCE/examples/11_fortran/README.md")
    [[ $command == mpif90* ]]
    (cd "$folder/source" && export PREFIX PKG_CONFIG_PATH=$PKGCONFIG:$PETSCPC && eval "$command" && "$MPIRUN" -n 2 ./a.out)
    ;;
  picture)
    # Also through links to the installed program.
    ln -s "$PREFIX/bin/gearshift-picture" "$folder/link"
    ln -s link "$folder/second_link"
    cd "$folder"
    ./second_link --help || [[ $? == 77 ]]
    ;;
  package)
    # The license is installed, and the Debian package requires the interpreters of the installed scripts.
    [[ -s $PREFIX/share/doc/gearshift/copyright ]] || { echo "error: no copyright" >&2; exit 1; }
    required=$(sed -n 's/^set(CPACK_DEBIAN_PACKAGE_DEPENDS "\(.*\)")$/\1/p' "$BUILD/CPackConfig.cmake")
    for interpreter in $(grep -rIh '^#!' "$PREFIX/bin" "$PREFIX/share" | sed -e 's,.*/,,' -e 's,^env ,,'); do
      [[ ", $required," == *", $interpreter,"* ]] || { echo "error: the package does not require $interpreter" >&2; exit 1; }
    done
    echo "package: license and interpreters"
    ;;
  *) echo "error: unknown way '$way'" >&2; exit 2 ;;
esac
