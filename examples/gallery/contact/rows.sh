# hertz COLUMN: prints the pressure at the pole, or the radius of the closed area, relative to Hertz's for the force.
hertz() {
  awk -v f="$(value "$run/forces.csv" sphere_fz)" -v p="$(value "$run/probe_pole.csv" contact_pressure)" \
    -v area="$(sed -nE 's/.*contact_sphere_area": ([0-9.e+-]+),?/\1/p' "$run/summary.json")" -v which="$1" 'BEGIN {
      pi = atan2(0, -1); modulus = 20000 / (1 - 0.3 ^ 2); force = -4 * f
      a = (0.75 * force * 50 / modulus) ^ (1 / 3)
      print which == "pressure" ? p / (1.5 * force / (pi * a ^ 2)) : sqrt(4 * area / pi) / a
    }'
}
solve contact_bar gallery/contact/bar.yaml
row "[contact](contact): a bar on a wall" "mean pressure, 0.52 < t < 1.14" 300 "Doyen, Ern, Piperno 2011, exact" 1e-2 \
  "$(awk -F, 'NR > 2 && $1 > 0.52 && $1 < 1.14 { sum += $4 * ($1 - last); time += $1 - last } { last = $1 }
              END { print sum / time }' "$run/forces.csv")" "100 cells, degree 1" "-gear_rtol 1e-3"
row "" "momentum after the impact" 100 "the same, exact" 5e-3 "$(value "$run/momentum.csv" pz)" "100 cells, degree 1" "-gear_rtol 1e-3"
solve contact_hertz gallery/contact/hertz.yaml
row "contact: a sphere on a block" "greatest pressure, relative to that for the force" 1 "Hertz 1882" 1e-2 "$(hertz pressure)" \
  "1000 cells, degree 2" "static, 1 load step"
row "" "radius of the contact, relative to that for the force" 1 "Hertz 1882" 5e-2 "$(hertz radius)" \
  "1000 cells, degree 2" "static, 1 load step"
solve contact_ring gallery/contact/ring.yaml
row "contact: a ring on a plate" "force [N]" 31.65676 "CalculiX 2.20, same mesh" 1e-3 "$(value "$run/forces.csv" plate_fy)" \
  "144 cells, degree 2" "static, 3 load steps"
row "" "pressure in the middle [MPa]" 22.0855 "CalculiX 2.20, same mesh, lowest cell" 3e-2 "$(value "$run/probe_bottom.csv" contact_pressure)" \
  "144 cells, degree 2" "static, 3 load steps"
solve contact_drop gallery/contact/drop.yaml
row "contact: a dropped block" "greatest force [N]" 30423.23 "CalculiX 2.20, same elements" 1e-2 \
  "$(awk -F, 'NR == 1 { for (i = 1; i <= NF; ++i) if ($i == "floor_fz") column = i }
              NR > 1 && $column > most { most = $column } END { print most }' "$run/forces.csv")" "64 cells, degree 2" "-gear_rtol 1e-3"
row "" "momentum at 0.09 s [Ns]" 940.0135 "CalculiX 2.20, same elements" 1e-2 "$(value "$run/momentum.csv" pz)" \
  "64 cells, degree 2" "-gear_rtol 1e-3"
solve contact_block gallery/contact/block.yaml
row "contact: a sliding block" "distance" 1.5 "v^2/(2 mu g)" 1e-3 "$(value "$run/probe_middle.csv" ux)" "2 cells, degree 2" "-gear_rtol 1e-3"
row "" "heat of friction" 9000 "kinetic energy" 1e-3 "$(value "$run/energy.csv" friction)" "2 cells, degree 2" "-gear_rtol 1e-3"
