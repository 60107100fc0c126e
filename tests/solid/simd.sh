#!/usr/bin/env bash
# bash simd.sh SIMD GEARSHIFT-SOLID CTEST...: runs the tests of bodies and of the program with -solid_simd SIMD; tests
# that name instruction sets themselves keep theirs. Exit code 77: skipped, this machine does not support SIMD.
set -euo pipefail
simd=$1 program=$2
shift 2
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_ess_singleton_isolated=1
if ! said=$("$program" -dm_plex_box_faces 1,1,1 -material linear_elastic -E 1 -nu 0.3 -rho 1 -static -dry_run -solid_simd "$simd" 2>&1); then
  grep -q "solid_simd" <<<"$said" || { echo "$said"; exit 1; }
  echo "skipped: this machine has no $simd"
  exit 77
fi
PETSC_OPTIONS="${PETSC_OPTIONS:-} -solid_simd $simd" "$@" -R '^(solid_|app\.)' -LE '^(heavy|tutorials|faults|fuzz|indices64|soak|simd|cases|mutants|petsc_.*)$' --output-on-failure
