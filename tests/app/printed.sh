# bash printed.sh <folder> -- command: the steps and the maximum stresses printed by the program agree with its files.
folder=$1
shift 2
fail() { echo "$1"; exit 1; }
rm -rf "$folder"
body="-dm_plex_box_faces 3,2,2 -dm_plex_box_upper 2,1,1 -E 1e6 -nu 0.3 -rho 1000 -clamp xmin -fields von_mises"
value() { awk -F'[:,]' -v key="\"$2\"" '$1 ~ key { gsub(/ /, "", $2); print $2 }' "$1/summary.json"; }

# The first step is too long, and is repeated.
"$@" $body -traction_xmax '1e4,2e4,1e4*ramp(t/0.02)' -gear_adapt step -gear_dt 0.02 -gear_t_end 0.03 -output "$folder/repeated" >"$folder.log" ||
  fail "exit code $?: $(cat "$folder.log")"
awk -F, -v log_file="$folder.log" 'NR > 1 { attempts[$1] = $8 }
  END { while ((getline line < log_file) > 0) if (split(line, word, " ") > 8 && word[2] == "/" && word[4] in attempts) {
          rows++; again = line ~ /\(repeated\)/; repeated += again; if (again != (attempts[word[4]] > 1)) { print line; bad = 1 } }
        exit bad || rows < 2 || repeated < 1 }' "$folder/repeated/steps.csv" || fail "repeated steps: $(cat "$folder.log")"
place=$(for c in x y z; do value "$folder/repeated" "von_mises_points_max_$c"; done | xargs printf '(%.6g, %.6g, %.6g)')
grep -qF "before the recovery at nodes: $(printf %.6g "$(value "$folder/repeated" von_mises_points_max)") at $place" "$folder.log" ||
  fail "not at $place: $(cat "$folder.log")"
[ "$(value "$folder/repeated" von_mises_max_t)" = 0.03 ] || fail "von_mises_max_t: $(cat "$folder/repeated/summary.json")"
awk -v bytes="$(value "$folder/repeated" memory_per_rank)" 'BEGIN { exit !(bytes > 1e6 && bytes < 1e10) }' || fail "memory_per_rank"
grep -q residual_warning "$folder/repeated/summary.json" && fail "a residual_warning without a reason"

# A residual that rounding keeps from decreasing further is reported in both places.
"$@" $body -gravity 0,0,-1 -static -snes_rtol 1e-17 -output "$folder/rounding" >"$folder.log" || fail "exit code $?: $(cat "$folder.log")"
[ "$(value "$folder/rounding" von_mises_max_t)" = 1 ] || fail "load of von_mises_max: $(cat "$folder/rounding/summary.json")"
grep -q 'done: .*rounding leaves' "$folder.log" && grep -q '"residual_warning": "rounding leaves' "$folder/rounding/summary.json" ||
  fail "$(cat "$folder.log" "$folder/rounding/summary.json")"

# Without -gear_dt and -gear_adapt steps follow the error.
short="-gravity 0,0,-1 -gear_t_end 0.02"
"$@" $body $short -output "$folder/default" >"$folder.log" 2>&1 || fail "exit code $?: $(cat "$folder.log")"
grep -q "^note: neither -gear_dt nor -gear_adapt is given: .*-gear_adapt order -gear_rtol 0.001 -gear_cutoff_frequency -2$" "$folder.log" || fail "no note: $(cat "$folder.log")"
"$@" $body $short -gear_adapt order -gear_rtol 1e-3 -output "$folder/given" >"$folder.log" 2>&1 || fail "exit code $?"
if grep -q "neither" "$folder.log"; then fail "a note although -gear_adapt is given"; fi
cmp "$folder/default/energy.csv" "$folder/given/energy.csv" || fail "other steps by default"
"$@" $body $short -gear_rtol 1e-5 -output "$folder/finer" || fail "exit code $?"
[ "$(value "$folder/finer" steps)" -gt "$(value "$folder/default" steps)" ] || fail "-gear_rtol alone has no effect"
"$@" $body $short -gear_adapt none -output "$folder/none" >"$folder.log" 2>&1 && fail "-gear_adapt none without a step is accepted"
grep -q "option -gear_dt: give the time step" "$folder.log" || fail "$(cat "$folder.log")"

# The pressure of a mixed body does not depend on the number of cells computed at once.
[ -z "$(grep -o -m1 -w avx2 /proc/cpuinfo 2>/dev/null)" ] && exit
for simd in sse2 avx2; do
  "$@" $body -formulation mixed -nu 0.4999 -traction_xmax 1e4,2e4,1e4 -static -solid_simd $simd -envelope pressure -mixed_ksp_monitor \
    -output "$folder/$simd" >"$folder.log" || fail "exit code $?: $(cat "$folder.log")"
  grep -q 'Residual norms for mixed_' "$folder.log" || fail "-mixed_ksp_monitor has no effect"
  sed -n 's/^greatest pressure of all steps: \([^ ]*\) .*/\1/p' "$folder.log" >>"$folder/pressures"
done
awk 'NR == 1 { a = $1 } END { exit !(NR == 2 && a > 0 && (a - $1) ^ 2 < (1e-4 * a) ^ 2) }' "$folder/pressures" || fail "pressures: $(cat "$folder/pressures")"
