# bash released.sh <folder> -- command: a bar with wave speed 1, held stretched by 0.01 and released at 0.3. After
# one passage of the wave its end is at its rest position; the release is a row of each file, the force of the
# support is written up to it, and is zero afterwards. A run continued from a checkpoint before or after the release
# ends with the same result.
folder=$1
shift 2
fail() { echo "$1"; exit 1; }
rm -rf "$folder"
mkdir -p "$folder"
solid=("$@" -dm_plex_box_faces 8,1,1 -material linear_elastic -E 1 -nu 0 -rho 1 -clamp xmin -prescribe_xmax 0.01,0,0
  -static_first -release_xmax 0.3 -gear_adapt order -gear_rtol 3e-3 -gear_t_end 1.3 -vtk_every 0 -probe_end 1,0.5,0.5 -csv_every 1)
"${solid[@]}" -output "$folder/whole" || fail "exit code $?"
for stop in 0.2 0.4; do
  file="$folder/$stop.h5"
  "${solid[@]}" -gear_t_end $stop -gear_checkpoint "$file" -gear_checkpoint_every 1 -output "$folder/$stop" >/dev/null || fail "exit code $? at $stop"
  [ -s "$file" ] || fail "no checkpoint at $stop"
  "${solid[@]}" -gear_restart "$file" -output "$folder/$stop" >/dev/null || fail "exit code $? after $stop"
done
for run in whole 0.2 0.4; do
  tail -1 "$folder/$run/probe_end.csv" | awk -F, '{ exit !($1 == 1.3 && $5 * $5 < 4e-8) }' ||
    fail "$run: $(tail -1 "$folder/$run/probe_end.csv")"
  head -1 "$folder/$run/forces.csv" | grep -q '^t,xmax_fx,.*xmin_fx' || fail "$run: $(head -1 "$folder/$run/forces.csv")"
  awk -F, 'NR == 1 { next }
    $1 < 0.3 + 1e-9 { held = 1; if ($1 > 0.3 - 1e-9) at = 1; if (($2 - 0.01) ^ 2 > 1e-14) bad = 1 }
    $1 > 0.3 + 1e-9 { free = 1; if ($2 != 0 || $5 != 0) bad = 1 }
    END { exit bad || !held || !at || !free }' "$folder/$run/forces.csv" || fail "$run: $(cat "$folder/$run/forces.csv")"
  awk -F, 'NR == 1 { for (i = 1; i <= NF; ++i) column[$i] = i; next }
    { e = $column["kinetic"] + $column["stored"]; if ((e / 5e-5 - 1) ^ 2 > 4e-4) bad = 1 }
    END { exit bad || NR < 5 }' "$folder/$run/energy.csv" || fail "$run: $(cat "$folder/$run/energy.csv")"
done
"${solid[@]}" -release_xmax 0.5 -gear_restart "$folder/0.4.h5" -output "$folder/0.4" 2>"$folder/other" && fail "another release is not refused"
grep -q 'released at t = 0.3 before this state was saved' "$folder/other" || fail "$(cat "$folder/other")"
