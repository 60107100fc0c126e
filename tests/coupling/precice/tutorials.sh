#!/usr/bin/env bash
# bash tutorials.sh FOLDER TUTORIALS MASS SOLID BINDINGS LAUNCH...: preCICE's own tutorials `oscillator` and
# `perpendicular-flap` (with its fake fluid), coupled by the installed preCICE, with gearshift's solvers compared with
# the original ones. TUTORIALS is a clone of github.com/precice/tutorials, whose configurations and programs are
# unchanged except for the length of windows and runs. Prints the tables of the manual and fails if an order or an error
# differs from them. Exit code 77: nothing to run.
set -euo pipefail
folder=$1 tutorials=$2 mass=$3 solid=$4 bindings=$5
shift 5
launch=("$@")
case=$(realpath "$(dirname "$0")/../../../examples/15_precice/flap.yaml")
fail() { echo "error: $1"; exit 1; }
skip() { echo "skipped: $1"; exit 77; }
[ -x "$mass" ] || skip "built without preCICE (-DGEARSHIFT_PRECICE=ON)"
[ -f "$tutorials/oscillator/precice-config.xml" ] || skip "no tutorials of preCICE; set GEARSHIFT_PRECICE_TUTORIALS to a clone of them"
python=/usr/bin/python3
"$python" -c 'import numpy, scipy' 2>/dev/null || skip "the tutorials' programs need numpy and scipy"
library=$(ldd "$mass" | awk '/libprecice/ { print $3 }')
"$python" -c 'import precice' 2>/dev/null || export PYTHONPATH=$bindings PRECICE_LIBRARY=$library
rm -rf "$folder" && mkdir -p "$folder" && cd "$folder"
cp -r "$tutorials/oscillator" "$tutorials/perpendicular-flap" .
find . -xtype l -delete  # removes links to cleaning scripts
check() { awk "BEGIN { exit !($1) }" || fail "$2: $1 does not hold"; }
# Runs both participants in their own folders; stops the other if one fails.
pair() {
  local first=$1 second=$2 status=0
  bash -c "cd '$3' && exec $first" >"$3.log" 2>&1 &
  local one=$!
  bash -c "cd '$4' && exec $second" >"$4.log" 2>&1 &
  local two=$!
  wait -n "$one" "$two" || status=$?
  [ $status = 0 ] || kill "$one" "$two" 2>/dev/null || true
  wait "$one" || status=$?
  wait "$two" || status=$?
  [ $status = 0 ] || fail "$(tail -n 15 "$3.log" "$4.log")"
}

cd oscillator
window() { sed "s/time-window-size value=\"[^\"]*\"/time-window-size value=\"$1\"/" "$tutorials/oscillator/precice-config.xml" >precice-config.xml; }
# Prints the largest error of the two masses at the ends of their steps.
ours() {  # WINDOW STEPS OPTION...
  window "$1"
  local options="-precice ../precice-config.xml -steps $2 -snes_rtol 1e-12 -ksp_rtol 1e-12 ${*:3}"
  pair "$mass -name Mass-Left $options" "$mass -name Mass-Right $options" mass-left-python mass-right-python
  tail -qn 1 mass-*-python.log | awk '{ if ($NF > worst) worst = $NF } END { printf "%.2e\n", worst }'
}
theirs() {  # WINDOW STEPS SCHEME
  window "$1"
  sed "s|precice_dt / 4|precice_dt / $2|" "$tutorials/oscillator/solver-python/oscillator.py" >solver-python/oscillator.py
  local solver="$python ../solver-python/oscillator.py -ts $3"
  pair "$solver Mass-Left" "$solver Mass-Right" mass-left-python mass-right-python
  tail -qn 1 mass-*-python.log | awk -F, '{ if ($NF > worst) worst = $NF } END { printf "%.2e\n", worst }'
}

echo "oscillator: largest errors, windows of 0.02, 0.01 and 0.005, and the order that the last two show"
for family in "bdf 2" "bdf 3" "bdf 4" "sdirk 4"; do
  read -r name order <<<"$family"
  for steps in 1 2 5; do
    errors=()
    for window in 0.02 0.01 0.005; do errors+=("$(ours $window $steps -gear_family "$name" -gear_order "$order")"); done
    slope=$(awk -v a="${errors[1]}" -v b="${errors[2]}" 'BEGIN { printf "%.1f", log(a / b) / log(2) }')
    echo "| $name $order | $steps | ${errors[0]} | ${errors[1]} | ${errors[2]} | $slope |"
    check "$slope >= $order - 0.3" "order of $name $order, $steps steps of a window"
  done
done

echo "oscillator: largest errors, windows of 0.01, with 1, 2 and 5 steps"
declare -A at
row() {  # LABEL COMMAND OPTION...
  local label=$1 errors=()
  for steps in 1 2 5; do
    at[$label.$steps]=$("$2" 0.01 $steps "${@:3}")
    errors+=("${at[$label.$steps]}")
  done
  echo "| $label | ${errors[0]} | ${errors[1]} | ${errors[2]} |"
}
row Newmark theirs Newmark_beta
row generalized-alpha theirs generalized_alpha
row RK4 theirs runge_kutta_4
for order in 2 3 4; do row "bdf$order" ours -gear_family bdf -gear_order $order; done
row sdirk4 ours -gear_family sdirk -gear_order 4
row default ours
echo "| RadauIIA, adaptive | $(theirs 0.01 1 radauIIA) |"
echo "| adaptive, rtol 1e-6 | $(ours 0.01 1 -gear_adapt order -gear_rtol 1e-6) |"
echo "| adaptive, rtol 1e-8 | $(ours 0.01 1 -gear_adapt order -gear_rtol 1e-8) |"
for steps in 1 2 5; do
  for other in Newmark generalized-alpha RK4; do
    for own in sdirk4 default; do
      check "${at[$own.$steps]} < ${at[$other.$steps]}" "our $own against $other, $steps steps of a window"
    done
  done
done
cd ..

cd perpendicular-flap
sed 's/max-time value="5"/max-time value="1"/' "$tutorials/perpendicular-flap/precice-config.xml" >precice-config.xml
mkdir solid-gearshift
options="-options_file $case -gear_t_end 1 -output_every 0"
tip() { awk -F, 'END { print $5 }' "solid-gearshift/$1/probe_tip.csv"; }
for ranks in 1 2; do
  pair "$python fake.py" "${launch[*]} $ranks $solid $options -output coupled.$ranks -precice ../precice-config.xml" \
    fluid-fake solid-gearshift
done
# The fake fluid's hundred forces, t y each, as a traction; the last one acts completely at the edge.
(cd solid-gearshift && grep -v precice_ "$case" >alone.yaml && "${launch[@]}" 1 "$solid" ${options/"$case"/alone.yaml} -output alone -traction_xmin '99*t*y,0,0' -probe_edge -0.05,1,0.5 \
  -force_edge '0.5*t,0,0' >alone.log 2>&1) || fail "$(cat solid-gearshift/alone.log)"
echo "perpendicular-flap with the fake fluid: the tip at t = 1, on 1 rank $(tip coupled.1), on 2 ranks $(tip coupled.2), alone $(tip alone)"
check "($(tip coupled.1) - $(tip alone))^2 < (0.01 * $(tip alone))^2" "the flap's tip"
check "($(tip coupled.1) - $(tip coupled.2))^2 < (1e-4 * $(tip alone))^2" "the flap's tip on 2 ranks"
[ "$(wc -l <solid-gearshift/coupled.2/steps.csv)" = 101 ] || fail "not a hundred steps"
