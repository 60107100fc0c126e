#!/usr/bin/env bash
# The MPI that PETSc was built with is used, also if PETSc.pc has only the names of its compilers, as with Debian's
# mpicc.mpich next to Open MPI's mpicc.
#
#   bash mpi.sh REPOSITORY FOLDER
#
# Environment: PETSCPC, the folder of the .pc file of the PETSc that gearshift is built with.
set -euo pipefail
export PKG_CONFIG_PATH=$PETSCPC${PKG_CONFIG_PATH:+:$PKG_CONFIG_PATH}
source=$1 folder=$2/mpi
rm -rf "$folder"
mkdir -p "$folder/bin"
for name in mpicc mpicxx; do
  printf '#!/bin/sh\necho %s >>%s\nexec %s "$@"\n' "$name.named" "'$folder/asked'" "$(command -v $name)" >"$folder/bin/$name.named"
  chmod +x "$folder/bin/$name.named"
done
cat >"$folder/PETSc.pc" <<END
ccompiler=mpicc.named
cxxcompiler=mpicxx.named

Name: PETSc
Description: a PETSc whose compilers have names of their own
Version: $(pkg-config --modversion PETSc)
Cflags: $(pkg-config --cflags PETSc)
Libs: $(pkg-config --libs PETSc)
END
unset PETSC_DIR PETSC_ARCH SLEPC_DIR
PATH=$folder/bin:$PATH PKG_CONFIG_PATH=$folder:$PKG_CONFIG_PATH \
  cmake -S "$source" -B "$folder/build" -G Ninja -DGEARSHIFT_TESTS=OFF -DGEARSHIFT_EXAMPLES=OFF -DGEARSHIFT_SOLID=OFF
for name in mpicc mpicxx; do grep -m 1 "^$name.named$" "$folder/asked"; done
