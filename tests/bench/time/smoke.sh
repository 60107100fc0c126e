#!/usr/bin/env bash
# Runs every solver of the benchmark on a tiny problem and checks its error.   smoke.sh program folder
set -euo pipefail
export OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1
program=$1 folder=$2 failed=0
mkdir -p "$folder"
for problem in "bar -nodes 50" "bar0 -nodes 50" "steep -nodes 50" "cant2 -nodes 17,3" "cant3 -nodes 9,3,3" pend \
  "kelvin -nodes 50" pend4 hertz rotor frame blast stick duffing vdp beam1 beam01 lift; do
  # shellcheck disable=SC2086
  "$program" -problem $problem -check
done
tiny="-problem bar -nodes 50 -tol 1e-4"
# shellcheck disable=SC2086
"$program" $tiny -solver erk8 -tol 1e-10 -save "$folder/tiny.state" >/dev/null
for solver in $("$program" -list | awk '$1 != "erk8" { print $1 }'); do
  equal=
  case $solver in gear_fixed | two_n) equal="-steps 400" ;; esac
  # shellcheck disable=SC2086
  line=$("$program" $tiny $equal -solver "$solver" -reference "$folder/tiny.state") || line=
  error=$(grep -o '"err_q": [^,]*' <<<"$line" | cut -d' ' -f2 || true)
  printf '%-16s error %s\n' "$solver" "${error:-no result}"
  if ! awk -v e="${error:-1}" 'BEGIN { exit !(e > 0 && e < 0.05) }'; then failed=1; fi
done
exit $failed
