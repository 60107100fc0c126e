# bash taylor_bar.sh <folder> -- command: the first six microseconds of Taylor's bar, compared with a run with
# a quarter of the step; also with adaptive steps: during plastic flow the method is BDF, with little more
# than one iteration per step.
folder=$1
shift 2
fail() { echo "$1"; exit 1; }
rm -rf "$folder"
"$@" -gear_adapt none -gear_dt 3e-7 -gear_t_end 6e-6 -vtk_every 0 -csv_every 20 -output "$folder" || fail "exit code $?"
near() { # file, column, value, relative difference: checks the last row
  tail -1 "$folder/$1" | awk -F, -v c="$2" -v x="$3" -v e="$4" '{ exit !(($c - x) ^ 2 <= (e * x) ^ 2) }' ||
    fail "$1, column $2 is not $3: $(tail -1 "$folder/$1")"
}
near probe_rim.csv 5 0.001361 0.04
near energy.csv 6 6.235 0.1
"$@" -gear_t_end 6e-6 -vtk_every 0 -csv_every 20 -output "$folder" -overwrite > "$folder.log" || fail "exit code $?"
near probe_rim.csv 5 0.001361 0.04
read -r steps esdirk newton <<< "$(awk -F'[:,]' '/"steps"/ { s = $2 } /steps_by_esdirk/ { e = $2 } /newton_iterations/ { n = $2 }
  END { print s, e, n }' "$folder/summary.json")"
[[ -n $newton ]] && ((esdirk <= 3 && newton <= 2 * steps + 20)) || fail "$steps steps, $esdirk by esdirk, $newton Newton iterations"
