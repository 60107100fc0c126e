#!/usr/bin/env bash
# bash coupled.sh FOLDER PROGRAM LAUNCH...: a bar loaded by preCICE's stand-in, compared with the uncoupled bar.
. "$(dirname "${BASH_SOURCE[0]}")/bar.sh"

# Forces that do not depend on the motion: the coupled run takes the steps of the uncoupled one, four per window.
run alone -gear_dt 0.025 -gear_order 4 -force_xmax '2*sin(5*t),sin(5*t),0'
settings 'windows 8' 'window 0.1' 'force 2 1 0' 'rate 5'
run once -gear_dt 0.025 -gear_order 4 "${coupled[@]}"
read -r error rows < <(difference alone once)
[ "$rows" = 9 ] && below "$error" 1e-9 || fail "forces: error $error in $rows rows"
[ "$(wc -l <once/steps.csv)" = 33 ] || fail "steps.csv has $(wc -l <once/steps.csv) lines"
grep -q 'done: t = 0.8, 32 steps' once.log || fail "last line: $(tail -1 once.log)"
# A repeated window leaves no trace, also with adaptive steps.
settings 'windows 8' 'window 0.1' 'iterations 4' 'force 2 1 0' 'rate 5'
run again -gear_dt 0.025 -gear_order 4 "${coupled[@]}"
cmp once/probe_p.csv again/probe_p.csv || fail "a repeated window changed the motion"
cmp once/energy.csv again/energy.csv || fail "a repeated window changed the energies"
# Loads that jump at the ends of windows. The end of the third window is 0.3 only to rounding.
jump=(-gear_dt 0.025 -gear_order 2 -traction_ymax '0,0,0.1*(step(t-0.2)-3*step(t-0.3)+step(t-0.6))')
run jump_alone "${jump[@]}" -force_xmax '2*sin(5*t),sin(5*t),0'
run jump "${jump[@]}" "${coupled[@]}"
read -r error rows < <(difference jump_alone jump)
[ "$rows" = 9 ] && below "$error" 1e-9 || fail "jumps: error $error in $rows rows"
run adaptive_again -gear_adapt order -gear_rtol 1e-5 "${coupled[@]}"
settings 'windows 8' 'window 0.1' 'force 2 1 0' 'rate 5'
run adaptive -gear_adapt order -gear_rtol 1e-5 "${coupled[@]}"
cmp adaptive/probe_p.csv adaptive_again/probe_p.csv || fail "a repeated window changed the adaptive steps"
read -r error rows < <(difference alone adaptive)
below "$error" 1e-3 || fail "adaptive: error $error"
# Fixed steps, 1, 2 and 5 per window, for each kind of method; on several ranks only 2.
steps=(0.1 0.05 0.02)
[ "${launch[-1]}" = 1 ] || steps=(0.05)
for family in bdf esdirk; do
  for dt in "${steps[@]}"; do
    for iterations in 1 3; do
      settings 'windows 3' 'window 0.1' "iterations $iterations" 'force 2 1 0' 'rate 5'
      run "turns_$iterations" -gear_dt $dt -gear_family $family "${coupled[@]}"
    done
    [ "$(wc -l <turns_1/steps.csv)" = "$(awk -v dt=$dt 'BEGIN { printf "%d", 0.3 / dt + 1.5 }')" ] || fail "steps of $dt: $(cat turns_1/steps.csv)"
    cmp turns_1/probe_p.csv turns_3/probe_p.csv || fail "$family, steps of $dt: a repeated window changed the motion"
    cmp turns_1/energy.csv turns_3/energy.csv || fail "$family, steps of $dt: a repeated window changed the energies"
  done
done

# Tractions with the same resultant; mesh triangles; velocities.
settings 'windows 8' 'window 0.1' 'force 2 1 0' 'rate 5' 'per_area 0.25' 'connectivity 2' 'measure 1'
run tractions -gear_dt 0.025 -gear_order 4 "${coupled[@]}" -precice_read Stress -precice_read_kind traction -precice_write Velocity \
  -precice_write_kind velocity
read -r error rows < <(difference alone tractions)
below "$error" 1e-9 || fail "tractions: error $error"

# Written velocities are velocities: tested with a free bar.
settings 'windows 2' 'window 0.1' 'velocity 0.3 -0.2 0.1'
"${launch[@]}" "$program" "${free[@]}" -output_every 1 -initial_velocity 0.3,0-0.2,0.1 -gear_dt 0.025 "${coupled[@]}" \
  -precice_write Velocity -precice_write_kind velocity -output drift >drift.log 2>&1 || fail "drift: $(cat drift.log)"

# Faces of wedges: quadrilaterals on the sides, triangles at the ends.
for degree in 1 2; do
  settings 'windows 1' 'window 0.1' 'force 2 1 0' 'connectivity 6' 'measure 3'
  run "wedges_$degree" -dm_plex_cell triangular_prism -degree $degree -gear_dt 0.05 -precice settings -precice_faces xmax,zmax
done

# A two-dimensional mesh: the nodes of a line along z share forces in proportion to their parts of the
# face and have one motion.
plane=(-dm_plex_box_faces 2,1,2 -degree 2 -gear_dt 0.025 -gear_order 4)
run plane_alone "${plane[@]}" -force_xmax '2*sin(5*t),sin(5*t),0'
settings 'windows 8' 'window 0.1' 'force 2 1' 'rate 5' 'dimensions 2' 'vertices 3' 'share 0 0.16666666666666667 0.5 0.66666666666666667 1 0.16666666666666667' 'connectivity 2' 'measure 1'
run plane "${plane[@]}" "${coupled[@]}"
read -r error rows < <(difference plane_alone plane)
below "$error" 1e-9 || fail "two dimensions: error $error"
settings 'windows 8' 'window 0.1' 'force 2 1' 'rate 5' 'dimensions 2' 'per_area 0.33333333333333333'
run plane_tractions "${plane[@]}" "${coupled[@]}" -precice_read_kind traction
read -r error rows < <(difference plane_alone plane_tractions)
below "$error" 1e-9 || fail "tractions in two dimensions: error $error"
settings 'windows 2' 'window 0.1' 'velocity 0.5 -0.2' 'dimensions 2'
"${launch[@]}" "$program" "${free[@]}" "${plane[@]}" -material linear_elastic -output_every 0 -initial_velocity z,0-0.2,0-x "${coupled[@]}" \
  -precice_write_kind velocity -precice_write Velocity -output turn >turn.log 2>&1 || fail "turn: $(cat turn.log)"

# A run stopped inside a window, of 4 steps each, leaves its results so far, in frames of windows.
stopped() {
  local name=$1 code=$2 steps=$3 frames=$4
  shift 4
  settings 'windows 8' 'window 0.1' "$stops_with" 'force 2 1 0' 'rate 5'
  rc=0
  "${launch[@]}" "$program" "${bar[@]}" -output "$name" -output_every 1 -gear_dt 0.025 -gear_order 4 "${coupled[@]}" "$@" \
    >"$name.log" 2>&1 || rc=$?
  [ "$rc" = "$code" ] || fail "$name ends with $rc: $(cat "$name.log")"
  [ "$(wc -l <"$name/steps.csv")" = $((steps + 1)) ] || fail "$name: $(cat "$name/steps.csv")"
  grep -q "\"steps\": $steps," "$name/summary.json" || fail "$name: $(cat "$name/summary.json")"
  [ "$(grep -c timestep "$name/solution.pvd")" = "$frames" ] || fail "$name: $(cat "$name/solution.pvd")"
}
for stops_with in 'iterations 1' 'iterations 3'; do
  stopped inside 2 6 3 -gear_max_steps 6
  [ "$(sed -n 's/.*timestep="\([^"]*\)".*/\1/p' inside/solution.pvd | awk '{ printf "%.6g ", $1 }')" = "0 0.1 0.15 " ] ||
    fail "$(cat inside/solution.pvd)"
  stopped between 2 8 3 -gear_max_steps 8
done
stops_with='iterations 1' stopped wall 2 4 2 -gear_max_wall 1e-9
settings 'windows 8' 'window 0.1' 'force 2 1 0' 'rate 5'
run beyond -gear_dt 0.025 "${coupled[@]}" -gear_t_end 0.5
[ "$(cat beyond.err beyond.log | grep -c 'beyond -gear_t_end 0.5')" = 1 ] || fail "beyond: $(cat beyond.err)"

# A partner that reacts to the motion: a spring whose force is linear over each window. Order 2 in windows.
spring=(-nu 0 -initial_velocity 0.5*x,0,0 -gear_dt 0.0125 -gear_order 4)
run foundation "${spring[@]}" -foundation_xmax 300,300
before=
for windows in 4 8 16; do
  settings "windows $windows" "window $(awk -v n="$windows" 'BEGIN { print 0.8 / n }')" 'iterations 12' 'spring 300'
  run spring "${spring[@]}" "${coupled[@]}"
  read -r error rows < <(difference foundation spring)
  echo "spring, $windows windows: error $error"
  if [ -n "$before" ]; then
    awk -v a="$before" -v b="$error" 'BEGIN { exit !(a / b > 3.4 && a / b < 4.8) }' || fail "spring: $before -> $error"
  fi
  before=$error
done

# A partner that computes its force at all received times: order 4, with a single step per window.
before=
for windows in 16 32; do
  [ "${launch[-1]}" = 1 ] || break
  settings "windows $windows" "window $(awk -v n="$windows" 'BEGIN { print 0.8 / n }')" 'iterations 12' 'spring 300' 'waveform 1' \
    'samples 4'
  run waveform "${spring[@]}" -gear_dt 0.05 "${coupled[@]}" -precice_samples 4
  read -r error rows < <(difference foundation waveform)
  echo "spring with a waveform, $windows windows: error $error"
  if [ -n "$before" ]; then
    awk -v a="$before" -v b="$error" 'BEGIN { exit !(a / b > 12) }' || fail "waveform: $before -> $error"
  fi
  before=$error
done

# An envelope includes every step of a window, but not those of repeated iterations: the first iteration is without the
# spring and has a larger displacement.
settings 'windows 1' 'window 0.8' 'iterations 16' 'spring 300' 'waveform 1'
run envelope "${spring[@]}" -gear_dt 0.1 "${coupled[@]}" -envelope displacement -precice_samples 1
run envelope_alone "${spring[@]}" -gear_dt 0.1 -foundation_xmax 300,300 -envelope displacement
peak() { sed -n "s/.*\"envelope_displacement${2:-}\": \([^,]*\),*/\1/p" "$1/summary.json"; }
echo "envelope: $(peak envelope) at $(peak envelope _t), alone $(peak envelope_alone) at $(peak envelope_alone _t)"
awk -v a="$(peak envelope)" -v b="$(peak envelope_alone)" -v s="$(peak envelope _t)" -v t="$(peak envelope_alone _t)" \
  'BEGIN { exit !((a / b - 1)^2 < 1e-6 && (s - t)^2 < 1e-18 && t < 0.75) }' || fail "the envelope"

# Impossible couplings are refused at once.
refused() {
  local message=$1
  shift
  if "${launch[@]}" "$program" "${bar[@]}" -gear_dt 0.1 -output refused "$@" >refused.log 2>&1; then fail "not refused: $*"; fi
  grep -q "$message" refused.log || fail "no '$message' in $(cat refused.log)"
}
refused 'precice_faces: give the faces' -precice settings
refused 'precice_faces: it applies only to a coupled run' -precice_faces xmax
refused "no face 'nose'" -precice settings -precice_faces nose
refused 'give -output_every' "${coupled[@]}" -output_dt 0.1
refused "'nowhere' cannot be read" -precice nowhere -precice_faces xmax
refused 'precice_samples: give 1 or more' "${coupled[@]}" -precice_samples 0
