#!/usr/bin/env bash
# bash build_and_test.sh REPOSITORY FOLDER [CTEST OPTION...]: builds gearshift in the folder with a PETSc of 64-bit indices,
# warnings as errors, and runs the tests of the preset ci. That PETSc is PETSC64_DIR (and its SLEPc SLEPC64_DIR), or what
# pkg-config calls PETSc64 and SLEPc64 (Debian: libpetsc64-real-dev, libslepc64-real-dev, beside the usual ones).
set -euo pipefail
source=$1 folder=$2
shift 2
PETSC_DIR=${PETSC64_DIR:-$(pkg-config --variable=prefix PETSc64 2>/dev/null || true)}
SLEPC_DIR=${SLEPC64_DIR:-$(pkg-config --variable=prefix SLEPc64 2>/dev/null || true)}
if [ -z "$PETSC_DIR" ]; then
  echo "skipped: no PETSc of 64-bit indices (Debian: apt-get install libpetsc64-real-dev libslepc64-real-dev; else PETSC64_DIR)"
  exit 77
fi
unset PETSC_ARCH
export PETSC_DIR
if [ -n "$SLEPC_DIR" ]; then export SLEPC_DIR; else unset SLEPC_DIR; fi
cd "$source"
cmake --preset ci -B "$folder"
grep -q '^GEARSHIFT_PETSC_INT:INTERNAL=8$' "$folder/CMakeCache.txt" || { echo "error: the PETSc in $PETSC_DIR has 32-bit indices"; exit 1; }
cmake --build "$folder" -j "$(env -u OMP_NUM_THREADS -u OMP_THREAD_LIMIT nproc)"  # which obeys it
ctest --test-dir "$folder" -LE '^(heavy|tutorials|faults|fuzz|soak|simd|cases|mutants)$' -j4 --output-on-failure "$@"
