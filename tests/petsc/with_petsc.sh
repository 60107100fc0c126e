#!/usr/bin/env bash
# bash with_petsc.sh indices64|debug|source REPOSITORY FOLDER [CTEST OPTION...]: builds gearshift in the folder with
# another PETSc, warnings as errors, and runs the tests of the preset ci. That PETSc is
#
#   indices64  one with 64-bit indices: PETSC64_DIR (and its SLEPc SLEPC64_DIR), or the packages PETSc64 and SLEPc64 of
#              pkg-config (Debian: libpetsc64-real-dev, libslepc64-real-dev, in addition to the usual ones)
#   debug      one that checks its arguments: PETSC_DEBUG_DIR, or Debian's libpetsc-real*-dbg
#   source     built from the source folder PETSC_SOURCE_DIR in FOLDER/petsc, with the options PETSC_SOURCE_OPTIONS of
#              its configure (default: those that gearshift needs); a quarter of an hour on one processor
#
# Exit code 77: there is no such PETSc.
set -euo pipefail
kind=$1 source=$2 folder=$3
shift 3
jobs=$(env -u OMP_NUM_THREADS -u OMP_THREAD_LIMIT nproc)  # nproc obeys these variables
skip() { echo "skipped: $*"; exit 77; }
prefix_of() { pkg-config --variable=prefix "$1" 2>/dev/null || true; }
slepc=
case $kind in
  indices64)
    PETSC_DIR=${PETSC64_DIR:-$(prefix_of PETSc64)}
    slepc=${SLEPC64_DIR:-$(prefix_of SLEPc64)}
    [ -n "$PETSC_DIR" ] ||
      skip "no PETSc of 64-bit indices (Debian: apt-get install libpetsc64-real-dev libslepc64-real-dev; else PETSC64_DIR)"
    ;;
  debug)
    PETSC_DIR=${PETSC_DEBUG_DIR:-$(prefix_of PETSc)-debug}
    [ -e "$PETSC_DIR/lib/pkgconfig/PETSc.pc" ] || skip "no PETSc with checks (Debian: apt-get install libpetsc-real*-dbg; else PETSC_DEBUG_DIR)"
    ;;
  source)
    [ -n "${PETSC_SOURCE_DIR:-}" ] || skip "PETSC_SOURCE_DIR names no source folder of PETSc"
    command -v make >/dev/null || skip "no make, by which PETSc is built"
    options=${PETSC_SOURCE_OPTIONS:---with-fc=0 --with-debugging=0 --with-x=0}
    PETSC_DIR=$(realpath -m "$folder")/petsc
    if [ ! -e "$PETSC_DIR/lib/pkgconfig/PETSc.pc" ]; then
      (
        cd "$PETSC_SOURCE_DIR"
        # shellcheck disable=SC2086  # the options are several words
        python3 ./configure PETSC_ARCH=gearshift-tests --prefix="$PETSC_DIR" $options
        make PETSC_DIR="$PWD" PETSC_ARCH=gearshift-tests -j "$jobs" all
        make PETSC_DIR="$PWD" PETSC_ARCH=gearshift-tests install
      )
    fi
    ;;
  *) echo "usage: with_petsc.sh indices64|debug|source REPOSITORY FOLDER" && exit 2 ;;
esac
unset PETSC_ARCH SLEPC_DIR
export PETSC_DIR
[ -z "$slepc" ] || export SLEPC_DIR=$slepc
cd "$source"
cmake --preset ci -B "$folder/build"
case $kind in
  indices64) grep -q '^GEARSHIFT_PETSC_INT:INTERNAL=8$' "$folder/build/CMakeCache.txt" || { echo "error: the PETSc in $PETSC_DIR has 32-bit indices"; exit 1; } ;;
  debug) grep -q 'define PETSC_USE_DEBUG' "$PETSC_DIR/include/petscconf.h" || { echo "error: the PETSc in $PETSC_DIR has no checks"; exit 1; } ;;
esac
cmake --build "$folder/build" -j "$jobs"
ctest --test-dir "$folder/build" -LE '^(heavy|tutorials|faults|fuzz|indices64|soak|simd|cases|mutants|petsc_.*)$' -j "$((2 * jobs))" \
  --output-on-failure "$@"
