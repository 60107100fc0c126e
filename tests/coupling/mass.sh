#!/usr/bin/env bash
# bash mass.sh FOLDER PROGRAM LAUNCH...: the mass of examples/15_precice coupled to a spring that reacts to its motion,
# with the stiffness for q = cos(6 pi t): the order under refinement of windows, with 1, 2 and 5 steps in each; and the
# most accurate method with five or six solves per window.
set -euo pipefail
folder=$1 program=$2
shift 2
rm -rf "$folder" && mkdir -p "$folder" && cd "$folder"
error() {  # WINDOWS STEPS OPTION...
  printf '%s\n' "windows $1" "window $(awk -v n="$1" 'BEGIN { printf "%.17g", 0.25 / n }')" 'iterations 16' 'scalar 1' 'spring 1' \
    'waveform 1' 'samples 3' >settings
  "${launch[@]}" "$program" -precice settings -name Solid -mesh Solid-Mesh -reads Force -writes Displacement -steps "$2" \
    -snes_rtol 1e-13 -ksp_rtol 1e-13 "${@:3}" >log 2>&1 || { cat log >&2; exit 1; }
  awk '/ q / { q = $5; print q < 0 ? -q : q }' log  # cos(1.5 pi) = 0
}
launch=("$@")
for order in 2 3 4; do
  for steps in 1 2 5; do
    coarse=$(error 20 $steps -gear_family bdf -gear_order $order) fine=$(error 40 $steps -gear_family bdf -gear_order $order)
    slope=$(awk -v a="$coarse" -v b="$fine" 'BEGIN { print log(a / b) / log(2) }')
    echo "order $order, $steps steps of a window: errors $coarse, $fine, slope $slope"
    awk -v s="$slope" -v k="$order" 'BEGIN { exit !(s > k - 0.3) }' || { echo "error: not of order $order"; exit 1; }
  done
done

# Five or six solves per window; the default takes six.
echo "| in each of 20 windows | solves | error |"
row() {  # LABEL SOLVES STEPS OPTION...
  echo "| $1 | $2 | $(error 20 "$3" "${@:4}") |"
}
row 'six steps of `bdf`, order 2' 6 6 -gear_family bdf -gear_order 2
row 'six of `bdf_alpha`, `-gear_rho_inf 1`' 6 6 -gear_family bdf_alpha -gear_order 2 -gear_rho_inf 1
row 'six of `bdf`, order 4' 6 6 -gear_family bdf -gear_order 4
row 'one of `sdirk`, order 4' 5 1 -gear_family sdirk -gear_order 4
row 'one of `esdirk`, order 5' 6 1 -gear_family esdirk
default=$(error 20 1)
for other in '6 -gear_family bdf -gear_order 2' '6 -gear_family bdf -gear_order 4' '1 -gear_family sdirk'; do
  # shellcheck disable=SC2086
  rival=$(error 20 $other)
  awk -v a="$default" -v b="$rival" 'BEGIN { exit !(a < b / 10) }' || { echo "error: the default, $default, against $other: $rival"; exit 1; }
done
