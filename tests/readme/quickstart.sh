#!/usr/bin/env bash
# bash quickstart.sh ROOT FOLDER: cmake/quickstart.sh builds on all cores, also where OMP_NUM_THREADS=1, which nproc obeys, is
# set for the ranks' sake. Programs that install, build and test are replaced by ones that write down how they were called.
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
grep -qx 'cmake --build build/ci -j 7' calls
grep -q '^ctest --preset ci' calls
if grep '^apt-get' calls; then echo "error: all packages are there"; exit 1; fi
