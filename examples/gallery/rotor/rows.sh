solve disc gallery/rotor/disc.yaml -degree 4
row "[rotor](rotor): disc with a bore" "hoop stress at the bore [Pa]" 2.860129e8 "Timoshenko, Goodier, plane stress" 5e-3 \
  "$(value "$run/probe_bore.csv" cauchy_yy)" "16 cells, degree 4" "static"
row "" "growth of the rim [m]" 7.382621e-5 "Timoshenko, Goodier, plane stress" 1e-3 "$(value "$run/probe_rim.csv" ux)" "16 cells, degree 4" "static"
for speed in 100=1.27551314e-05=2e-3 300=5.31082848e-04=8e-3 400=-4.45067534e-04=4e-3; do
  IFS='=' read -r w reference limit <<<"$speed"
  solve shaft_$w gallery/rotor/shaft.yaml -frame_spin $w,0,0
  row "[rotor](rotor): eccentric shaft" "deflection of the middle at $w rad/s [m]" $reference "theory of beams, critical at 335.12" $limit \
    "$(value "$run/probe_middle.csv" uy)" "20 cells, degree 4" "static"
done
solve run_up gallery/rotor/run_up.yaml
peak() { # the largest deflection of the middle, and the speed there
  awk -F, 'NR > 1 { d = sqrt($6 ^ 2 + $7 ^ 2); if (d > most) { most = d; t = $1 } } END { printf "%.9g %.9g", most, 400 * t }' \
    "$run/probe_middle.csv"
}
read -r deflection speed <<<"$(peak)"
row "[rotor](rotor): run-up by 400 rad/s^2" "largest deflection of the middle [m]" 3.347386e-3 "two modes, Runge-Kutta" 1e-2 "$deflection" \
  "8 cells, degree 3" "rtol 1e-3"
row "" "speed there [rad/s]" 378.225 "two modes, Runge-Kutta" 5e-3 "$speed" "8 cells, degree 3" "rtol 1e-3"
