#!/usr/bin/env bash
# bash headers.sh REPOSITORY FOLDER [RELEASE...]: checks that gearshift's sources compile with the headers
# of other releases of PETSc.
#
# Nothing is built: the newest patch of each minor release from 3.18 on, and the repository's newest commit ("main"),
# are extracted from PETSC_GIT_DIR, a clone of PETSc with its tags (the clone itself or its .git), and each source is
# compiled with -fsyntax-only and without deprecated functions. The configuration (petscconf.h) is that of the PETSc
# that pkg-config finds. GEARSHIFT_HEADER_FLAGS adds compiler flags, such as -DPETSC_USE_STRICT_PETSCERRORCODE or
# -DPETSC_USE_64BIT_INDICES, GEARSHIFT_HEADER_FILES limits the sources. About 2 s per source and release.
set -euo pipefail
source=$1 folder=$2
shift 2
if [ -z "${PETSC_GIT_DIR:-}" ]; then
  echo "skipped: PETSC_GIT_DIR names no clone of PETSc"
  exit 77
fi
git=(git --git-dir "$(git -C "$PETSC_GIT_DIR" rev-parse --absolute-git-dir)")

newest_patches() {
  "${git[@]}" tag --list 'v3.*' | sed -n 's/^v\(3\.[0-9]*\.[0-9]*\)$/\1/p' | sort -V |
    awk -F. '$2 >= 18 { last[$2] = $0; if ($2 > top) top = $2 } END { for (i = 18; i <= top; ++i) if (i in last) print last[i] }'
}
releases=("$@")
((${#releases[@]})) || mapfile -t releases < <(newest_patches; echo main)

configuration=$(pkg-config --variable=includedir PETSc)
for folder_of_mpi in $(pkg-config --cflags-only-I PETSc | tr ' ' '\n' | sed 's/^-I//'); do
  [ -e "$folder_of_mpi/petscconf.h" ] && configuration=$folder_of_mpi
done
read -ra mpi <<<"$(mpicxx --showme:compile 2>/dev/null || mpicxx -compile_info | cut -d' ' -f2-)"
read -ra hdf5 <<<"$(pkg-config --cflags hdf5-openmpi hdf5 2>/dev/null || pkg-config --cflags hdf5-openmpi 2>/dev/null || true)"

# Extracts the headers of one release, with this configuration. From 3.20 on the macros that
# identify Open MPI are different.
take_headers() {
  local release=$1 into=$folder/$1 commit=v$1
  [ "$release" = main ] && commit=HEAD
  rm -rf "$into"
  mkdir -p "$into"
  "${git[@]}" archive "$commit" include | tar x -C "$into"
  cp "$configuration"/petscconf*.h "$configuration"/petscfix.h "$into/include" 2>/dev/null || true
  cat >>"$into/include/petscconf.h" <<'CONF'
#if defined(PETSC_HAVE_OMPI_MAJOR_VERSION) && !defined(PETSC_HAVE_OPENMPI)
#define PETSC_HAVE_OPENMPI 1
#endif
CONF
  # From 3.20 on petscconf.h has only the compiler's attribute.
  local kind
  if grep -rqs 'PETSC_DEPRECATED_ENUM_BASE' "$into/include/petscmacros.h"; then
    sed -i '/define PETSC_DEPRECATED_/d' "$into/include/petscconf.h"
    for kind in ENUM FUNCTION MACRO OBJECT TYPEDEF; do
      printf '#define PETSC_DEPRECATED_%s_BASE(why) %s\n' "$kind" \
        "$([ $kind = MACRO ] || echo '__attribute__((deprecated(why)))')"
    done >>"$into/include/petscconf.h"
  fi
  cat >"$into/include/petscpkg_version.h" <<'CONF'
#define PETSC_PKG_OPENMPI_VERSION_GT(major, minor, subminor) 0
#define PETSC_PKG_OPENMPI_VERSION_LT(major, minor, subminor) 0
CONF
}

files=()
while IFS= read -r file; do files+=("$file"); done < <(
  if [ -n "${GEARSHIFT_HEADER_FILES:-}" ]; then
    printf '%s\n' $GEARSHIFT_HEADER_FILES
  else
    cd "$source" && grep -rlE 'petsc' src tests/petsc tests/dynamics tests/ts tests/solid tests/io examples --include='*.cpp' | grep -v 'solid/kernels/\|app/coupling/coupling.cpp\|modes/modes.cpp\|14_dealii\|15_precice' | sort
  fi)

read_with() {  # FILE RELEASE
  local said
  # shellcheck disable=SC2086  # a compiler with its launcher is several words
  said=$(${CXX:-g++} -std=c++20 -fsyntax-only -Wall -Werror=deprecated-declarations -Werror=return-type \
    -Wno-unknown-warning-option -DGEARSHIFT_HAVE_HDF5 -DGEARSHIFT_TEST_DATA='""' ${GEARSHIFT_HEADER_FLAGS:-} \
    -I"$source/include" -I"$source/src" -I"$source/tests" -isystem "$folder/$2/include" "${mpi[@]}" "${hdf5[@]}" \
    -isystem /usr/include/eigen3 "$source/$1" 2>&1) || printf '%s\n' "$said" "$1: error: not compiled" |
    grep -E 'error' | sed "s|$source/||; s|^|$2: |"
}
failed=0
for release in "${releases[@]}"; do
  take_headers "$release"
  errors=$folder/$release.txt
  : >"$errors"
  printf '%s\n' "${files[@]}" | xargs -P "${GEARSHIFT_HEADER_JOBS:-1}" -I{} bash -c \
    "$(declare -f read_with); source='$source' folder='$folder' mpi=(${mpi[*]}) hdf5=(${hdf5[*]}); read_with {} '$release'" >>"$errors"
  if [ -s "$errors" ]; then
    cat "$errors"
    echo "PETSc $release: $(cut -d: -f2 "$errors" | sort -u | wc -l) of ${#files[@]} files fail"
    failed=1
  else
    echo "PETSc $release: ${#files[@]} files compile"
  fi
done
exit $failed
