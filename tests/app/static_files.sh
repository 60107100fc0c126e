# bash static_files.sh <folder> -- command: a bar under a tension of 1000 that stretches it by 1e-3, in four load steps.
# Its files are written by load factor, and have no entries that are undefined for an equilibrium. The bar is linear:
# from the second load step on the guess is the equilibrium.
folder=$1
shift 2
fail() { echo "$1"; exit 1; }
rm -rf "$folder"
"$@" -static -load_steps 4 -csv_every 1 -vtk_every 1 -probe_p 1,0.5,0.5 -output "$folder" >"$folder.printed" || fail "exit code $?"
[ "$(head -1 "$folder/energy.csv")" = "load,stored" ] || fail "energy.csv: $(head -1 "$folder/energy.csv")"
awk -F, 'NR > 1 && ($1 != (NR - 1) / 4 || ($2 / (0.5 * $1 * $1) - 1) ^ 2 > 1e-16) { bad = 1 } END { exit bad || NR != 5 }' \
  "$folder/energy.csv" || fail "energy.csv: $(cat "$folder/energy.csv")"
[ "$(head -1 "$folder/steps.csv")" = "step,load,newton,krylov,seconds" ] || fail "steps.csv: $(head -1 "$folder/steps.csv")"
awk -F, 'NR > 1 && ($1 != NR - 1 || $2 != (NR - 1) / 4 || (NR == 2 && $3 < 1) || $4 < $3) { bad = 1 } END { exit bad || NR != 5 }' \
  "$folder/steps.csv" || fail "steps.csv: $(cat "$folder/steps.csv")"
awk -F, 'NR > 1 && ($1 != (NR - 1) / 4 || ($5 - 1e-3 * $1) ^ 2 > 1e-20) { bad = 1 } END { exit bad || NR != 5 }' \
  "$folder/probe_p.csv" || fail "probe_p.csv: $(cat "$folder/probe_p.csv")"
[ "$(sed -n 's/.*timestep="\([^"]*\)".*/\1/p' "$folder/solution.pvd" | tr '\n' ' ')" = "0.25 0.5 0.75 1 " ] ||
  fail "solution.pvd: $(cat "$folder/solution.pvd")"
sed -n 's/.*"energy_stored": \([0-9.e-]*\).*/\1/p' "$folder/summary.json" | awk '($1 - 0.5) ^ 2 < 1e-18 { good = 1 } END { exit !good }' || fail "summary: $(cat "$folder/summary.json")"
! grep -q 'energy_\(kinetic\|numerical_dissipation\|gain\)' "$folder/summary.json" || fail "summary: $(cat "$folder/summary.json")"
# The displacement and the support reaction: in the summary and on the screen.
for expected in displacement_max=1e-3 displacement_max_x=1 reaction_xmin_fx=-1000 reaction_xmin_fy=0 reaction_xmin_fz=0; do
  sed -n "s/.*\"${expected%=*}\": \([0-9.e-]*\).*/\1/p" "$folder/summary.json" |
    awk -v wanted="${expected#*=}" '{ good = ($1 - wanted) ^ 2 < 1e-18 * (1 + wanted ^ 2) } END { exit !good }' ||
    fail "summary, $expected: $(cat "$folder/summary.json")"
done
grep -q "^greatest displacement: 0.001 at (1, " "$folder.printed" || fail "$(cat "$folder.printed")"
grep -q "^support of xmin: force (-1000, " "$folder.printed" || fail "$(cat "$folder.printed")"
