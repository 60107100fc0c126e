#!/usr/bin/env bash
# The beam of deal.II: the same motion assembled and matrix-free, on any number of ranks; a run continued from a
# checkpoint is bitwise equal; half of Newmark's solves for a smaller error.
#
#   bash dealii.sh BEAM FOLDER MPIRUN...
set -euo pipefail
beam=$1 folder=$2
shift 2
mpirun=("$@")
rm -rf "$folder"
mkdir -p "$folder"
cd "$folder"
run() { "${mpirun[@]}" -n "$1" "$beam" "${@:2}" 2>warnings.txt || { cat warnings.txt >&2; exit 1; }; }
fail() { echo "error: $*"; exit 1; }
value() { awk -v key="$1" '{ for (i = 1; i < NF; i++) if ($i == key) print $(i + 1) }' "$2"; }
close() { awk -v a="$1" -v b="$2" -v tolerance="$3" 'BEGIN { exit !((a - b) ^ 2 <= (tolerance * b) ^ 2 && b != 0) }'; }

# Hanging nodes at the clamp; on four ranks some have no cells.
exactly="-cells 2,1,1 -refine 1 -gear_adapt none -gear_order 2 -gear_dt 0.02 -gear_t_end 0.2 -snes_rtol 1e-10 -ksp_rtol 1e-10"
for kind in "1 " "2 " "1 -matrix_free" "2 -matrix_free" "4 -matrix_free"; do
  # shellcheck disable=SC2086
  run $kind $exactly >out.txt
  tip=$(value tip out.txt)
  [[ -v expected ]] || expected=$tip
  close "$tip" "$expected" 1e-8 || fail "ranks and kind $kind: the tip is at $tip instead of $expected"
  case $kind in
    *free) [[ $(value matrices out.txt) == 0 && $(value products out.txt) -gt 100 ]] || fail "a matrix was assembled" ;;
    *) [[ $(value matrices out.txt) -gt 10 && $(value products out.txt) == 0 ]] || fail "no matrix was assembled" ;;
  esac
done
echo "tip $expected on any number of ranks, assembled and matrix-free"

for kind in "1 " "2 -matrix_free"; do
  # shellcheck disable=SC2086
  {
    run $kind -gear_t_end 0.25 -tip whole.txt >whole.out
    run $kind -gear_t_end 0.25 -gear_max_steps 30 -gear_checkpoint half.h5 -gear_checkpoint_every 10 -tip first.txt >half.out
    run $kind -gear_t_end 0.25 -gear_restart half.h5 -tip second.txt >second.out
    run $((3 - ${kind%% *})) ${kind#* } -gear_t_end 0.25 -gear_restart half.h5 >other.out
  }
  [[ -s second.txt ]] || fail "nothing behind the checkpoint"
  cat first.txt second.txt | cmp - whole.txt || fail "the run from the checkpoint is another one ($kind)"
  [[ $(value tip second.out) == "$(value tip whole.out)" ]] || fail "the run from the checkpoint ends elsewhere ($kind)"
  close "$(value tip other.out)" "$(value tip whole.out)" 1e-5 || fail "on other ranks the checkpoint leads elsewhere ($kind)"
done
echo "restarts repeat every bit"

beams="-cells 2,1,1"
# shellcheck disable=SC2086
{
  run 1 $beams -matrix_free -gear_rtol 1e-6 -tip exact.txt >exact.out
  run 1 $beams -gear_rtol 1e-3 -tip gear.txt >gear.out
  run 1 $beams -newmark 960 -tip newmark.txt >newmark.out
}
for method in gear newmark; do
  error=$(awk 'NR == FNR { e[FNR] = $2; next } { if (($2 - e[FNR]) ^ 2 > w) w = ($2 - e[FNR]) ^ 2 } END { print sqrt(w) }' \
    exact.txt $method.txt)
  echo "$method: error $error m, solves $(value solves $method.out), residuals $(value residuals $method.out)"
done | tee work.txt
awk '{ gsub(",", ""); error[NR] = $3; solves[NR] = $6 }
  END { exit !(error[1] < error[2] && error[2] < 1e-3 && solves[1] <= solves[2] / 2) }' work.txt ||
  fail "gear is dearer or less accurate than it was"
