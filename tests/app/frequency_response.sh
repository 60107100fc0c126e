# bash frequency_response.sh <folder> -- command: a rod of length 2 between rollers, fixed at one end and excited
# at the other. Without damping its end moves by F tan(k L) / (E A k), in phase or in antiphase; a damping ratio
# limits the first resonance.
folder=$1
shift 2
fail() { echo "$1"; exit 1; }
rm -rf "$folder"
rod="-dm_plex_box_faces 5,1,1 -dm_plex_box_upper 2,0.1,0.1 -degree 4 -material linear_elastic -E 1 -nu 0 -rho 1 -fix_x xmin
  -fix_y ymin,ymax -fix_z zmin,zmax -force_xmax 0.01*cos(t),0,0 -modes 10 -probe_tip 2,0.05,0.05"
"$@" $rod -frequency_response 0.05,1.05,11 -output "$folder/undamped" >"$folder.log" || fail "exit code $?: $(cat "$folder.log")"
[ "$(head -1 "$folder/undamped/frequency_response.csv")" = "frequency,tip_ux,tip_ux_phase,tip_uy,tip_uy_phase,tip_uz,tip_uz_phase" ] ||
  fail "$(head -1 "$folder/undamped/frequency_response.csv")"
awk -F, 'NR > 1 { k = 8 * atan2(1, 1) * $1; u = sin(2 * k) / cos(2 * k) / k
    if (($2 - (u < 0 ? -u : u)) ^ 2 > (3e-3 * u) ^ 2 + 1e-8 || (cos($3 * atan2(0, -1) / 180) > 0) != (u > 0)) { bad = 1; print $1, $2, $3, u } }
  END { exit bad || NR != 12 }' "$folder/undamped/frequency_response.csv" || fail "$(cat "$folder/undamped/frequency_response.csv")"
# The former option names work, too.
"$@" $rod -transfer 0.125,0.25,2 -transfer_damping 0.02 -output "$folder/former" >"$folder.log" 2>&1 || fail "exit code $?: $(cat "$folder.log")"
grep -q 'note: the option -transfer_damping has been renamed to -frequency_response_damping' "$folder.log" || fail "$(cat "$folder.log")"
if "$@" $rod -transfer 0.125,0.25,2 -frequency_response 0.125,0.25,2 -output "$folder/twice" >"$folder.log" 2>&1; then fail "both names"; fi
# At f = 1/8: F / (2 zeta omega_1^2) times 2 / (rho A L) in the first mode, with a phase lag of 90 degrees; the
# other modes shift it slightly.
"$@" $rod -frequency_response 0.125,0.25,2 -frequency_response_damping 0.02 -output "$folder/damped" >"$folder.log" || fail "exit code $?: $(cat "$folder.log")"
cmp "$folder/former/frequency_response.csv" "$folder/damped/frequency_response.csv" || fail "another response by the former names"
awk -F, 'NR == 2 { w = atan2(1, 1); u = 1 / (0.04 * w * w); if (($2 - u) ^ 2 > (2e-3 * u) ^ 2 || ($3 + 90) ^ 2 > 2.5) { bad = 1; print u } }
  END { exit bad || NR != 3 }' "$folder/damped/frequency_response.csv" || fail "$(cat "$folder/damped/frequency_response.csv")"
# One end moves by cos(omega t), Rayleigh damping: the other end moves by 1 / cos(k L), k^2 (1 + i omega
# r_k) = omega^2 - i omega r_m.
free=${rod/-force_xmax 0.01*cos(t),0,0/}
"$@" ${free/-fix_x xmin/} -prescribe_xmin cos\(t\),0,0 -gear_rayleigh_mass 0.05 -gear_rayleigh_stiffness 0.02 -frequency_response 0.05,1.05,11 \
  -output "$folder/moved" >"$folder.log" || fail "exit code $?: $(cat "$folder.log")"
awk -F, 'function cosh(x) { return (exp(x) + exp(-x)) / 2 } function sinh(x) { return (exp(x) - exp(-x)) / 2 }
  NR > 1 { w = 8 * atan2(1, 1) * $1; size = sqrt((w ^ 4 + (0.05 * w) ^ 2) / (1 + (0.02 * w) ^ 2))
    angle = (atan2(-0.05 * w, w * w) - atan2(0.02 * w, 1)) / 2; a = 2 * sqrt(size) * cos(angle); b = 2 * sqrt(size) * sin(angle)
    re = cos(a) * cosh(b); im = -sin(a) * sinh(b); u = 1 / sqrt(re ^ 2 + im ^ 2); phase = -atan2(im, re)
    x = $2 * cos($3 * atan2(0, -1) / 180) - u * cos(phase); y = $2 * sin($3 * atan2(0, -1) / 180) - u * sin(phase)
    if (x ^ 2 + y ^ 2 > (3e-3 * u) ^ 2 + 1e-8) { bad = 1; print $1, $2, $3, u, phase } }
  END { exit bad || NR != 12 }' "$folder/moved/frequency_response.csv" || fail "$(cat "$folder/moved/frequency_response.csv")"
# The response to a motion and a force together is the sum of the responses to each.
both="${free/-fix_x xmin/} -gear_rayleigh_mass 0.05 -frequency_response 0.05,1.05,11"
i=0
for load in "-prescribe_xmin cos(t),0,0" "-prescribe_xmin 0,0,0 -force_xmax 0.5,0,0" "-prescribe_xmin cos(t),0,0 -force_xmax 0.5,0,0"; do
  "$@" $both $load -output "$folder/part_$((++i))" >"$folder.log" || fail "exit code $?: $(cat "$folder.log")"
done
paste -d, "$folder"/part_{1,2,3}/frequency_response.csv | awk -F, 'function re(c) { return $c * cos($(c + 1) * atan2(0, -1) / 180) }
  function im(c) { return $c * sin($(c + 1) * atan2(0, -1) / 180) }
  NR > 1 { x = re(2) + re(9) - re(16); y = im(2) + im(9) - im(16); if (x ^ 2 + y ^ 2 > (1e-3 * ($2 + $9)) ^ 2) { bad = 1; print $0 } }
  END { exit bad || NR != 12 }' || fail "motion and force: $(cat "$folder/part_3/frequency_response.csv")"
# Supports that move later leave the body unstrained, for any law: the modes are those of the body at rest.
law=${free/linear_elastic/neo_hookean}
"$@" ${law/-fix_x xmin/} -degree 2 -prescribe_xmin 1,0,0 -modes 5 -frequency_response 0.05,0.35,3 -output "$folder/law" >"$folder.log" ||
  fail "exit code $?: $(cat "$folder.log")"
awk -F, 'NR > 1 { u = cos(16 * atan2(1, 1) * $1); u = 1 / (u < 0 ? -u : u); if (($2 - u) ^ 2 > (2e-2 * u) ^ 2) { bad = 1; print $1, $2, u } }
  END { exit bad || NR != 4 }' "$folder/law/frequency_response.csv" || fail "$(cat "$folder/law/frequency_response.csv")"
# After -static supports stay at their static position, and only the force excites the rod.
"$@" ${rod/-fix_x xmin/} -degree 2 -prescribe_xmin 0.1,0,0 -modes 5 -static -frequency_response 0.05,0.35,3 -output "$folder/stretched" >"$folder.log" ||
  fail "exit code $?: $(cat "$folder.log")"
awk -F, 'NR > 1 { k = 8 * atan2(1, 1) * $1; u = sin(2 * k) / cos(2 * k) / k; if (($2 - (u < 0 ? -u : u)) ^ 2 > (2e-2 * u) ^ 2) { bad = 1; print $1, $2, u } }
  END { exit bad || NR != 4 }' "$folder/stretched/frequency_response.csv" || fail "$(cat "$folder/stretched/frequency_response.csv")"
# One degree of freedom, omega_0 = 1, on a base with an excitation of 1: relative to the base -1 / (1 - omega^2 + 2 i
# zeta omega); with a prescribed support motion of 1 instead, absolute, 1 + omega^2 times this.
for support in "-fix_x xmin -base_acceleration 1,0,0" "-prescribe_xmin 1,0,0"; do
  "$@" ${free/-fix_x xmin/} $support -E 200 -rho 1e-6 -mass_xmax 1 -modes 2 -frequency_response_damping 0.1 -frequency_response 0.05,0.35,7 -output "$folder/one" \
    >"$folder.log" || fail "exit code $?: $(cat "$folder.log")"
  awk -F, -v moved="${support##*base*}" 'NR > 1 { w = 8 * atan2(1, 1) * $1; re = 1 - w * w; im = 0.2 * w; size = re ^ 2 + im ^ 2
      x = -re / size; y = im / size; if (moved != "") { x = 1 - w * w * x; y = -w * w * y }
      x -= $2 * cos($3 * atan2(0, -1) / 180); y -= $2 * sin($3 * atan2(0, -1) / 180)
      if (x ^ 2 + y ^ 2 > 1e-8) { bad = 1; print $0 } }
    END { exit bad || NR != 8 }' "$folder/one/frequency_response.csv" || fail "$support: $(cat "$folder/one/frequency_response.csv")"
done
# Equal damping given for every region separately is that of the body.
regions="-dm_plex_filename $(dirname "$0")/../data/two_regions.msh -E 1 -nu 0 -rho 1 -clamp left -gravity 0,0,-1 -modes 6 -probe_p 2,1,1
  -frequency_response 0.01,0.12,8"
each=
for region in soft stiff; do each+=" -material_${region}_rayleigh_mass 0.1 -material_${region}_rayleigh_stiffness 0.2"; done
"$@" $regions -gear_rayleigh_mass 0.1 -gear_rayleigh_stiffness 0.2 -output "$folder/whole" >"$folder.log" || fail "exit code $?: $(cat "$folder.log")"
"$@" $regions $each -output "$folder/each" >"$folder.log" || fail "exit code $?: $(cat "$folder.log")"
paste -d, "$folder/whole/frequency_response.csv" "$folder/each/frequency_response.csv" |
  awk -F, 'NR > 1 { for (i = 2; i <= 7; i += 2) if (($i - $(i + 7)) ^ 2 > (1e-6 * $6) ^ 2) bad = 1 } END { exit bad || NR != 9 }' ||
  fail "$(cat "$folder/whole/frequency_response.csv" "$folder/each/frequency_response.csv")"
