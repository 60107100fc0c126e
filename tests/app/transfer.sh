# bash transfer.sh <folder> -- command: a rod of length 2 between rollers, held at one end and shaken at the other. Undamped its
# end moves by F tan(k L) / (E A k), in phase or against it; a damping ratio limits the first resonance.
folder=$1
shift 2
fail() { echo "$1"; exit 1; }
rm -rf "$folder"
rod="-dm_plex_box_faces 5,1,1 -dm_plex_box_upper 2,0.1,0.1 -degree 4 -material linear_elastic -E 1 -nu 0 -rho 1 -fix_x xmin
  -fix_y ymin,ymax -fix_z zmin,zmax -force_xmax 0.01*cos(t),0,0 -modes 10 -probe_tip 2,0.05,0.05"
"$@" $rod -transfer 0.05,1.05,11 -output "$folder/undamped" >"$folder.log" || fail "exit code $?: $(cat "$folder.log")"
[ "$(head -1 "$folder/undamped/transfer.csv")" = "frequency,tip_ux,tip_ux_phase,tip_uy,tip_uy_phase,tip_uz,tip_uz_phase" ] ||
  fail "$(head -1 "$folder/undamped/transfer.csv")"
awk -F, 'NR > 1 { k = 8 * atan2(1, 1) * $1; u = sin(2 * k) / cos(2 * k) / k
    if (($2 - (u < 0 ? -u : u)) ^ 2 > (3e-3 * u) ^ 2 + 1e-8 || (cos($3 * atan2(0, -1) / 180) > 0) != (u > 0)) { bad = 1; print $1, $2, $3, u } }
  END { exit bad || NR != 12 }' "$folder/undamped/transfer.csv" || fail "$(cat "$folder/undamped/transfer.csv")"
# At f = 1/8: F / (2 zeta omega_1^2) times 2 / (rho A L) in the first mode, a quarter of a turn behind; the others shift it slightly.
"$@" $rod -transfer 0.125,0.25,2 -transfer_damping 0.02 -output "$folder/damped" >"$folder.log" || fail "exit code $?: $(cat "$folder.log")"
awk -F, 'NR == 2 { w = atan2(1, 1); u = 1 / (0.04 * w * w); if (($2 - u) ^ 2 > (2e-3 * u) ^ 2 || ($3 + 90) ^ 2 > 2.5) { bad = 1; print u } }
  END { exit bad || NR != 3 }' "$folder/damped/transfer.csv" || fail "$(cat "$folder/damped/transfer.csv")"
