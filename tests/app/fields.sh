# bash fields.sh <folder> -- command: a linear bar of length 2 and section 1 under its weight of 20 along x and a
# tension of 5 hangs in equilibrium; then a free body moves and rotates. Checks files of forces, momenta and fields.
folder=$1
shift 2
fail() { echo "$1"; exit 1; }
rm -rf "$folder"
bar="-dm_plex_box_faces 4,2,2 -dm_plex_box_upper 2,1,1 -material linear_elastic -nu 0 -rho 1"
"$@" $bar -E 1e5 -clamp xmin -gravity 10,0,0 -traction_xmax 5,0,0 -static -snes_rtol 1e-12 -ksp_rtol 1e-10 -vtk_every 1 \
  -probe_p 0.5,0.3,0.4 -probe_fields energy_density,von_mises,displacement,cauchy,principal,acceleration \
  -fields von_mises_points,quality,region,pressure,displacement,velocity,acceleration,cauchy,von_mises,principal,strain,energy_density,history \
  -output "$folder/bar" || fail "exit code $?"
[ "$(head -1 "$folder/bar/forces.csv")" = "t,xmin_fx,xmin_fy,xmin_fz,xmin_mx,xmin_my,xmin_mz,xmax_fx,xmax_fy,xmax_fz,xmax_mx,xmax_my,xmax_mz" ] ||
  fail "forces.csv: $(head -1 "$folder/bar/forces.csv")"
# The resultant acts at y = z = 1/2.
awk -F, 'function off(x, y) { return (x - y) ^ 2 > 1e-14 }
  NR > 1 && ($1 != 1 || off($2, -25) || off($3, 0) || off($4, 0) || off($5, 0) || off($6, -12.5) || off($7, 12.5)) { bad = 1 }
  NR > 1 && (off($8, 5) || off($9, 0) || off($10, 0) || off($11, 0) || off($12, 2.5) || off($13, -2.5)) { bad = 1 }
  END { exit bad || NR != 2 }' "$folder/bar/forces.csv" || fail "forces.csv: $(cat "$folder/bar/forces.csv")"
# At x = 1/2 the stress is 5 + 10 * 1.5.
[ "$(head -1 "$folder/bar/probe_p.csv")" = "t,x,y,z,ux,uy,uz,vx,vy,vz,ax,ay,az,cauchy_xx,cauchy_yy,cauchy_zz,cauchy_xy,cauchy_yz,cauchy_xz,von_mises,principal_1,principal_2,principal_3,energy_density" ] ||
  fail "probe_p.csv: $(head -1 "$folder/bar/probe_p.csv")"
awk -F, 'function off(x, y) { return (x - y) ^ 2 > 1e-14 }
  NR > 1 && (off($11, 0) || off($14, 20) || off($15, 0) || off($17, 0) || off($20, 20) || off($21, 20) || off($23, 0) || off($24, 2e-3)) { bad = 1 }
  END { exit bad || NR != 2 }' "$folder/bar/probe_p.csv" || fail "probe_p.csv: $(cat "$folder/bar/probe_p.csv")"
# The stress at the support: 5 + 10 * 2.
sed -n 's/.*"von_mises_max": \([0-9.e-]*\).*/\1/p' "$folder/bar/summary.json" |
  awk '($1 - 25) ^ 2 < 1e-12 { good = 1 } END { exit !good }' || fail "summary: $(cat "$folder/bar/summary.json")"
# The stress at the Gauss point next to it: 5 + 10 (2 - 0.25 (1 - sqrt(0.6))).
sed -n 's/.*"von_mises_points_max": \([0-9.e-]*\).*/\1/p' "$folder/bar/summary.json" |
  awk '($1 - 5 - 10 * (2 - 0.25 * (1 - sqrt(0.6)))) ^ 2 < 1e-12 { good = 1 } END { exit !good }' || fail "summary: $(cat "$folder/bar/summary.json")"
frame=$(ls "$folder"/bar/solution/000001*.vtu | head -1)
for field in 'displacement" NumberOfComponents="3' 'velocity" NumberOfComponents="3' 'acceleration" NumberOfComponents="3' \
  'cauchy" NumberOfComponents="6" ComponentName0="XX' 'von_mises" NumberOfComponents="1' 'principal" NumberOfComponents="3' \
  'strain" NumberOfComponents="6' 'energy_density" NumberOfComponents="1' 'history" NumberOfComponents="1' 'pressure" NumberOfComponents="1' 'region" format="appended' \
  'quality" format="appended' 'von_mises_points" format="appended'; do
  grep -aq "Name=\"$field\"" "$frame" || fail "$frame has no $field"
done
# Bending: von Mises and principal stresses of probes agree with the probe's own stress; energies are not negative, on
# the neutral axis and away from it.
probes=""
for i in 1 2 3 4 5 6 7 8 9; do probes="$probes -probe_p$i 0.37,0.2$i,0.5$i"; done
for degree in 1 2 3; do
  "$@" $bar -E 1e3 -degree $degree -material neo_hookean -nu 0.3 -clamp xmin -traction_xmax 0,0,1 -static -vtk_every 0 $probes \
    -probe_fields cauchy,von_mises,principal,energy_density -output "$folder/bent" || fail "exit code $?"
  for i in 1 2 3 4 5 6 7 8 9; do
    awk -F, -v d=$degree 'NR == 2 { a = $11 - $12; b = $12 - $13; c = $13 - $11
        s = sqrt((a * a + b * b + c * c) / 2 + 3 * ($14 * $14 + $15 * $15 + $16 * $16)); t = $18 + $19 + $20 - $11 - $12 - $13
        good = (s / $17 - 1) ^ 2 < 1e-20 && t * t < 1e-20 * s * s && $21 >= 0 }
      END { exit !good }' "$folder/bent/probe_p$i.csv" || fail "degree $degree: $(cat "$folder/bent/probe_p$i.csv")"
  done
done
# Without a vector field in the list, no vector field is the active one.
"$@" $bar -E 1e5 -clamp xmin -gravity 10,0,0 -static -fields cauchy -vtk_every 1 -output "$folder/one" || fail "exit code $?"
grep -aq '<PointData>' "$(ls "$folder"/one/solution/000001*.vtu | head -1)" || fail "an active vector field"

"$@" $bar -E 1e3 -initial_velocity "0,0.2*x+1,0" -gear_dt 0.05 -gear_t_end 0.2 -gear_rtol 1e-10 -snes_rtol 1e-12 \
  -ksp_rtol 1e-10 -vtk_every 0 -output "$folder/flight" || fail "exit code $?"
[ ! -e "$folder/flight/forces.csv" ] || fail "forces without supports"
[ "$(head -1 "$folder/flight/momentum.csv")" = "t,px,py,pz,lx,ly,lz" ] || fail "$(head -1 "$folder/flight/momentum.csv")"
# Mass 2, mean velocity 1.2; int x v_y = 2 + 0.2 8/3; l_x = -int z v_y.
awk -F, 'function off(x, y) { return (x - y) ^ 2 > 1e-12 }
  NR > 1 && (off($2, 0) || off($3, 2.4) || off($4, 0) || off($5, -1.2) || off($6, 0)) { bad = 1 }
  NR == 2 && off($7, 2 + 1.6 / 3) { bad = 1 }
  END { exit bad || NR != 6 }' "$folder/flight/momentum.csv" || fail "momentum.csv: $(cat "$folder/flight/momentum.csv")"
