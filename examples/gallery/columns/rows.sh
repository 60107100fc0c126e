solve bend gallery/columns/bend.yaml
for at in 0.5:2.850813:-1.239870 1:-1.102982:0.024675 1.5:-2.764523:-0.440286; do
  IFS=: read -r t x z <<<"$at"
  row "[bending column](columns)" "u_x of a top corner, t = $t" $x "independent solver, same mesh and step" 1e-5 \
    "$(value "$run/probe_corner.csv" ux $t)" "3 x 3 x 18, degree 3" "0.02, SDIRK4"
  row "" "u_z, t = $t" $z "independent solver, same mesh and step" 5e-5 "$(value "$run/probe_corner.csv" uz $t)" \
    "3 x 3 x 18, degree 3" "0.02, SDIRK4"
done
energy_of() { awk -F, '{ e = $2 + $3 } END { printf "%.9g", e }' "$1/energy.csv"; }
solve twist gallery/columns/twist.yaml
row "[twisting column](columns)" "energy at the start [J]" 247500 "exact" 1e-6 "$(value "$run/energy.csv" kinetic 0)" "3 x 3 x 18, degree 3" "-gear_rtol 1e-3"
row "" "energy, t = 0.4" 247500 "exact" 3e-4 "$(energy_of "$run")" "3 x 3 x 18, degree 3" "-gear_rtol 1e-3"
row "" "momentum p_x, t = 0.4 [kg m/s]" 0 "exact" 1e-3 "$(value "$run/momentum.csv" px)" "3 x 3 x 18, degree 3" "-gear_rtol 1e-3"
solve twist_105 gallery/columns/twist.yaml -dm_plex_box_faces 2,2,12 -degree 2 -gear_t_end 0.1 \
  -initial_velocity "0-105*sin(pi*z/12)*y,105*sin(pi*z/12)*x,0"
row "" "energy of 105 rad/s, t = 0.1 [J]" 3031875 "exact" 4e-4 "$(energy_of "$run")" "2 x 2 x 12, degree 2" "-gear_rtol 1e-3"
