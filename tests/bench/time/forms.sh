#!/usr/bin/env bash
# The velocity form of length N compared with the first-order form of length 2N: BDF2 with the same steps, two Newton
# iterations in each, the preconditioner rebuilt in each step, GMRES to the same tolerance. If the tangent is symmetric,
# which only the form of length N preserves, a further run uses CG with the symmetric factor.
#
#   bash tests/bench/time/forms.sh program [output folder] [--quick]
set -euo pipefail
export LC_ALL=C OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
program=$1
output=${2:-.}
mkdir -p "$output"
lines=$output/forms.jsonl
state=$output/forms.state
common="-snes_max_it 2 -snes_convergence_test skip -ksp_type gmres -gear_start ramp -gear_pc_update step -rebuild_age 1"

# forms <name> <options> [-- <options of the symmetric run>]: one run of each form, compared with
# the end state of the first.
forms() {
  local name=$1 given=() symmetric=()
  shift
  while (($# > 0)) && [[ $1 != -- ]]; do given+=("$1"); shift; done
  symmetric=("${@:2}")
  # shellcheck disable=SC2086
  "$program" -solver gear_fixed -label "$name N" -save "$state" $common "${given[@]}" >>"$lines"
  if ((${#symmetric[@]} > 0)); then
    # shellcheck disable=SC2086
    "$program" -solver gear_fixed -label "$name N, CG" -reference "$state" $common "${given[@]}" \
      "${symmetric[@]}" >>"$lines"
  fi
  # shellcheck disable=SC2086
  "$program" -solver two_n -label "$name 2N" -reference "$state" $common "${given[@]}" >>"$lines"
}

rm -f "$lines"
forms "bar, LU" -problem bar -steps 200 -ksp_rtol 1e-6 -- -ksp_type cg -pc_type cholesky
forms "cant2, LU" -problem cant2 -steps 100 -ksp_rtol 1e-6
forms "cant2, ILU(4)" -problem cant2 -steps 5 -end 5 -ksp_rtol 1e-6 -pc_type ilu -pc_factor_levels 4
forms "free2, LU" -problem free2 -steps 50 -end 10 -ksp_rtol 1e-6 -- -ksp_type cg -pc_type cholesky
forms "free2, ILU(4)" -problem free2 -steps 5 -end 5 -ksp_rtol 1e-6 -pc_type ilu -pc_factor_levels 4 -- \
  -ksp_type cg -pc_type icc
if [[ ${3:-} != --quick ]]; then forms "cant3, ILU(0)" -problem cant3 -steps 8 -end 1 -ksp_rtol 1e-4; fi
rm -f "$state"

awk '
  function field(key, found) {
    if (!match($0, "\"" key "\": (\"[^\"]*\"|[^,}]*)")) return ""
    found = substr($0, RSTART + length(key) + 4, RLENGTH - length(key) - 4)
    gsub(/"/, "", found)
    return found
  }
  BEGIN {
    split("krylov Jv pc_applies factor_nonzeros basis flops solver_flops memory_mb cpu", keys, " ")
    split("10 10 10 11 11 11 12 10 9", widths, " ")
    printf "%-24s %10s %10s %10s %11s %11s %11s %12s %10s %9s %11s\n", "BDF2, equal steps", "Krylov its", "products",
      "PC solves", "factor nnz", "basis [MB]", "flops", "without sweeps", "mem [MB]", "CPU [s]", "difference"
  }
  {
    value["krylov"] = field("krylov"); value["Jv"] = field("Jv"); value["pc_applies"] = field("pc_applies")
    value["factor_nonzeros"] = field("factor_nonzeros")
    value["basis"] = 8e-6 * field("length") * field("krylov_vectors")
    value["flops"] = field("flops"); value["solver_flops"] = field("flops") - field("flops_sweeps")
    value["memory_mb"] = field("memory_mb"); value["cpu"] = field("cpu")
    printf "%-24s %10d %10d %10d %11.3g %11.3g %11.3g %12.3g %10.1f %9.2f %11s\n", field("solver"), value["krylov"],
      value["Jv"], value["pc_applies"], value["factor_nonzeros"], value["basis"], value["flops"], value["solver_flops"],
      value["memory_mb"], value["cpu"], field("err_q") < 0 ? "" : sprintf("%.1e", field("err_q"))
    if (field("solver") !~ /2N$/) { ++runs; for (k in value) first[runs, k] = value[k]; next }
    for (run = 1; run <= runs; ++run) {
      printf "%-24s", run == 1 ? "N / 2N" : "N, CG / 2N"
      for (k = 1; k <= 9; ++k) printf " %*.2f", widths[k], first[run, keys[k]] / value[keys[k]]
      printf "\n"
    }
    runs = 0
  }' "$lines" | tee "$output/forms.txt"
