#!/usr/bin/env bash
# bash kill.sh <kills> <folder> -- mpirun ... gearshift-solid options...
# A run that is killed with -9 at random moments and restarted, <kills> times, leaves the same files as an undisturbed
# run: every byte of CSV and VTU, except the seconds of steps.csv. Writing checkpoints changes no digit.
set -uo pipefail
kills=$1 folder=$2
shift 3
fail() { echo "kill: $*"; exit 1; }
rm -rf "$folder"
mkdir -p "$folder"
RANDOM=${SEED:-$$}
echo "SEED=${SEED:-$$}"

begin=$(date +%s%N)
"$@" -output "$folder/reference" >"$folder/reference.log" 2>&1 || { cat "$folder/reference.log"; fail "the run itself fails"; }
duration=$((($(date +%s%N) - begin) / 1000000))

same() {
  local name file
  diff <(cd "$folder/reference" && find . -type f ! -name summary.json | sort) \
    <(cd "$folder/out" && find . -type f ! -name summary.json | sort) || fail "the files differ from those of the undisturbed run"
  diff <(cut -d, -f1-8 "$folder/reference/steps.csv") <(cut -d, -f1-8 "$folder/out/steps.csv") | head -5
  ((PIPESTATUS[0] == 0)) || fail "steps.csv differs"
  while read -r name; do
    cmp "$folder/reference/$name" "$folder/out/$name" || fail "$name differs"
  done < <(cd "$folder/reference" && find . -type f ! -name summary.json ! -name steps.csv)
}

run() {
  "$@" -output "$folder/out" -gear_checkpoint "$folder/state.h5" -gear_checkpoint_every 1 \
    -gear_restart "$folder/state.h5" >"$folder/run.log" 2>&1
}

done_kills=0 continued=0 finished=0
while ((done_kills < kills)); do
  run "$@" &
  shell=$!
  sleep "$(printf '0.%03d' $((RANDOM % 1000)))"
  sleep "$(awk -v d="$duration" -v r=$RANDOM 'BEGIN { printf "%.3f", 0.9 * d / 1000 * r / 32768 }')"
  # If programs start slowly, all kills so far may have happened before the first checkpoint.
  while ((continued == 0 && done_kills + 1 == kills)) && [[ ! -e $folder/state.h5 ]] && kill -0 $shell 2>/dev/null; do sleep 0.01; done
  launcher=$(ps -o pid= --ppid $shell)
  # The ranks first, all at once: they are children of the launcher.
  victims=$(for parent in $launcher; do ps -o pid= --ppid "$parent"; done)
  if [[ -n $victims ]] && kill -9 $victims $launcher 2>/dev/null; then
    ((++done_kills))
    wait $shell 2>/dev/null
    for victim in $victims; do
      while kill -0 "$victim" 2>/dev/null; do sleep 0.02; done
    done
  else
    wait $shell
    code=$?
    [[ $code == 0 ]] || { cat "$folder/run.log"; fail "a run ends with $code"; }
    same
    ((++finished))
    rm -rf "$folder/out" "$folder"/state.h5*
  fi
  ! grep -q "^error" "$folder/run.log" || { cat "$folder/run.log"; fail "an error"; }
  grep -q "continues from" "$folder/run.log" && ((++continued))
done
run "$@" || { cat "$folder/run.log"; fail "the last run fails"; }
grep -q "continues from" "$folder/run.log" && ((++continued))
same
[[ -z $(find "$folder" -name '*.part') ]] || fail "parts stayed: $(find "$folder" -name '*.part')"
echo "kill: $done_kills kills, $continued runs continued from a checkpoint, $((finished + 1)) came to the end with the same files"
((continued > 0)) || fail "no run continued from a checkpoint"
