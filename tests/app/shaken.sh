# bash shaken.sh <folder> -- command: a beam under base excitation, computed relative to the base, and
# again with prescribed motion of its support: displacements, forces and accelerations agree, and so does
# the work in the energy balance.
folder=$1
shift 2
fail() { echo "$1"; exit 1; }
rm -rf "$folder"
mkdir -p "$folder"
beam="-dm_plex_box_faces 4,1,1 -dm_plex_box_upper 4,1,1 -E 1e6 -nu 0.3 -rho 1000 -probe_tip 4,0.5,0.5 -probe_foot 0,0.5,0.5
  -gear_family sdirk -gear_dt 0.005 -gear_t_end 0.2 -snes_rtol 1e-10 -ksp_rtol 1e-8 -vtk_every 0"
# The base moves by 0.01 (1 - cos 20 t) along z; its acceleration is a spline table.
awk 'BEGIN { print "t,a"; for (i = -2; i <= 220; ++i) printf "%.17g,%.17g\n", i / 1000, 4 * cos(20 * i / 1000) }' >"$folder/base.csv"
"$@" $beam -clamp xmin -table_quake "$folder/base.csv" -table_quake_spline -base_acceleration "0,0,quake(t)" \
  -probe_fields acceleration,von_mises -output "$folder/relative" || fail "exit code $?"
"$@" $beam -prescribe_xmin "0,0,0.01*(1-cos(20*t))" -probe_fields acceleration,von_mises -output "$folder/absolute" || fail "exit code $?"
[ "$(head -1 "$folder/relative/probe_tip.csv")" = "t,x,y,z,ux,uy,uz,vx,vy,vz,ax,ay,az,von_mises" ] || fail "$(head -1 "$folder/relative/probe_tip.csv")"
# Columns 7, 10, 13 are uz, vz, az.
paste -d, "$folder/relative/probe_tip.csv" "$folder/absolute/probe_tip.csv" | awk -F, '
  function size(x) { return x < 0 ? -x : x }
  function larger(x, y) { return x > y ? x : y }
  NR > 2 {
    u = larger(u, size($7)); off_u = larger(off_u, size($7 + 0.01 * (1 - cos(20 * $1)) - $21))
    v = larger(v, size($10)); off_v = larger(off_v, size($10 + 0.2 * sin(20 * $1) - $24))
    a = larger(a, size($27)); off_a = larger(off_a, size($13 - $27))
  }
  END { print u, off_u, v, off_v, a, off_a; exit !(NR == 42 && off_u < 1e-4 * u && off_v < 3e-4 * v && off_a < 3e-3 * a && u > 0.01) }' || fail "another motion"
# The foot moves with the acceleration of the base.
awk -F, 'NR > 2 && ($13 - 4 * cos(20 * $1)) ^ 2 > 1e-12 { bad = 1 } END { exit bad || NR != 42 }' "$folder/relative/probe_foot.csv" ||
  fail "$(tail -2 "$folder/relative/probe_foot.csv")"
# The support carries the same forces; without the load's work the energy balance would be off by all of it.
for run in relative absolute; do tail -1 "$folder/$run/forces.csv" | cut -d, -f2-7 | tr ',' '\n'; done | paste -d' ' - - - - - - | awk '
  { for (i = 1; i <= 6; ++i) { if (NR == 1) one[i] = $i; else { d = one[i] - $i; if (d * d > 1e-6 * one[5] ^ 2) bad = 1 } } } END { exit bad || NR != 2 }' ||
  fail "other forces: $(tail -1 "$folder/relative/forces.csv") $(tail -1 "$folder/absolute/forces.csv")"
awk -F, 'NR > 1 { if ($4 > most) most = $4 } END { exit !(most > 1 && $5 == 0 && $7 < 0.02 * most && $7 > -0.02 * most) }' "$folder/relative/energy.csv" ||
  fail "energy: $(tail -1 "$folder/relative/energy.csv")"
