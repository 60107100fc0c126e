#!/usr/bin/env bash
# bash quickstart.sh ROOT FOLDER: tests that cmake/quickstart.sh
# - builds on all cores even if OMP_NUM_THREADS=1, as users set it for the ranks: nproc would then print 1;
# - installs and builds no more than it needs.
# Scripts that only record their arguments replace apt-get, cmake and ctest.
set -euo pipefail
root=$1 folder=$2
rm -rf "$folder" && mkdir -p "$folder/bin" && cd "$folder"
for name in apt-get cmake ctest; do
  printf '#!/bin/sh\necho "%s $*" >>"%s/calls"\n' $name "$PWD" >bin/$name
done
printf '#!/bin/sh\necho "install ok installed"\n' >bin/dpkg-query
printf '#!/bin/sh\necho "${OMP_NUM_THREADS:-7}"\n' >bin/nproc
chmod +x bin/*
OMP_NUM_THREADS=1 PATH=$PWD/bin:$PATH bash "$root/cmake/quickstart.sh" test
cat calls
grep -qx 'cmake --preset ci' calls
grep -qx 'cmake --build build/ci -j 7 --target all' calls
grep -q '^ctest --preset ci' calls
if grep '^apt-get' calls; then echo "error: all packages are there"; exit 1; fi
# A machine on which only a user's own PETSc is installed.
printf '#!/bin/sh\nexit 1\n' >bin/dpkg-query
printf '#!/bin/sh\nexit 0\n' >bin/dpkg
printf '#!/bin/sh\nexec "$@"\n' >bin/sudo
chmod +x bin/*
copy=$PWD/copy
mkdir -p "$copy"
cp -r "$root/cmake" "$copy"
for first in '' --pictures test; do
  : >calls
  # Here the built program does not exist.
  PETSC_DIR=$PWD PATH=$PWD/bin:$PATH bash "$copy/cmake/quickstart.sh" $first >"printed$first" 2>&1 || [[ $first != test ]]
  cat calls
  grep -q '^apt-get .* install -y --no-install-recommends g++ cmake ninja-build pkgconf libeigen3-dev' calls
  grep -q '^apt-get .* gnuplot-nox$' calls
  [[ $first != test ]] || grep -q '^apt-get .* install .* libgtest-dev' calls
  pictures=$(grep -c '^apt-get .* install -y .* python3-vtk9$' calls || true)
  tests=$(grep -c 'libgtest-dev\|clang-format\|gmsh' calls || true)
  [[ $first == '' && $pictures == 0 && $tests == 0 ]] || [[ $first == --pictures && $pictures == 1 && $tests == 0 ]] ||
    [[ $first == test && $pictures == 1 && $tests != 0 ]]
  if grep 'petsc-dev\|slepc-dev\|deal.ii' calls; then echo "error: there is a PETSc"; exit 1; fi
  [[ $first == test ]] || {
    grep -qx 'cmake --preset release -DGEARSHIFT_TESTS=OFF -DGEARSHIFT_EXAMPLES=OFF -DGEARSHIFT_KERNELS=native' calls
    grep -qx 'cmake --build build/release -j 7 --target gearshift-solid' calls
  }
done
