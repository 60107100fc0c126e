# bash earlier.sh <folder> -- command...: earlier results stay in FOLDER.previous however often later runs fail
# before their first step; the first later run that takes steps replaces them. Results of -frequency_response
# are kept with the others.
folder=$1
shift 2
fail() { echo "$1"; exit 1; }
rm -rf "$folder" "$folder.previous"
"$@" -output "$folder" || fail "the first run failed"
cp "$folder/steps.csv" "$folder.first"
echo "t,x_ux" >"$folder/frequency_response.csv"
for load in "0,1/0,0" "0,sqrt(0-1),0"; do
  "$@" -output "$folder" -gravity "$load" && fail "a load without a value is not an error"
  cmp "$folder.first" "$folder.previous/steps.csv" || fail "results of the first run are lost"
done
[[ -f $folder.previous/frequency_response.csv && ! -e $folder/frequency_response.csv ]] || fail "frequency_response.csv stayed"
"$@" -output "$folder" -gear_max_steps 1
cmp "$folder.first" "$folder.previous/steps.csv" || fail "a run without a step took the place of results"
"$@" -output "$folder" || fail "the last run failed"
[[ $(wc -l <"$folder.previous/steps.csv") == 2 ]] || fail "the run of one step is not in $folder.previous"
