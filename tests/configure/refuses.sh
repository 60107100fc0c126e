#!/usr/bin/env bash
# Configures gearshift with a modified PETSc and prints CMake's messages (CTest expects the refusal).
#
#   bash refuses.sh REPOSITORY FOLDER KIND
#
# Environment: PETSCPC, the folder of the .pc file of the PETSc that gearshift is built with.
set -euo pipefail
export PKG_CONFIG_PATH=$PETSCPC${PKG_CONFIG_PATH:+:$PKG_CONFIG_PATH}
source=$1 folder=$2/$3 kind=$3
rm -rf "$folder"
mkdir -p "$folder/include"
version=$(pkg-config --modversion PETSc)
include=$(pkg-config --variable=includedir PETSc)
[[ $kind != old ]] || version=3.17.4
{
  echo "#include \"$include/petscconf.h\""
  [[ $kind != complex ]] || printf '#define PETSC_USE_COMPLEX 1\n'
  [[ $kind != single ]] || printf '#undef PETSC_USE_REAL_DOUBLE\n#define PETSC_USE_REAL_SINGLE 1\n'
} >"$folder/include/petscconf.h"
libraries=$(pkg-config --libs PETSc)
if [[ $kind == static ]]; then  # object code that only an executable can contain
  echo 'int counter; int count(void) { return ++counter; }' >"$folder/part.c"
  (cd "$folder" && cc -fno-pic -c part.c && ar rc libpetsc.a part.o)
  libraries="-L$folder -lpetsc"
fi
cat >"$folder/PETSc.pc" <<END
Name: PETSc
Description: a PETSc that gearshift refuses
Version: $version
Cflags: -I$folder/include -I$include
Libs: $libraries
END
unset PETSC_DIR PETSC_ARCH SLEPC_DIR
arguments=()
case $kind in
  petsc_dir) export PETSC_DIR=$folder/nowhere ;;
  petsc_variable) arguments=("-DPETSC_DIR=$folder/nowhere") ;;
  petsc_arch) export PETSC_ARCH=nowhere ;;
  petsc_arch_of_dir) export PETSC_DIR=$(pkg-config --variable=prefix PETSc) PETSC_ARCH=nowhere ;;
  other_petsc)  # the cache of a run with another PETSc
    export PETSC_DIR=$(pkg-config --variable=prefix PETSc)
    arguments=("-DGEARSHIFT_CHOICE_OF_PETSc=$folder/elsewhere/")
    ;;
  slepc_dir) export SLEPC_DIR=$folder/nowhere ;;
esac
PKG_CONFIG_PATH=$folder cmake -S "$source" -B "$folder/build" -G Ninja "${arguments[@]}"
