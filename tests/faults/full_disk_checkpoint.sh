#!/usr/bin/env bash
# bash full_disk_checkpoint.sh <folder> -- gearshift-solid command...: run by small_disk.sh; a run whose
# checkpoints do not fit on their disk stops with the reason or, if requested, continues; the previous file is
# unchanged and can be used for a restart.
set -uo pipefail
folder=$1
shift 2
source "$(dirname "$0")/../output_of.sh"
disk=$GEARSHIFT_SMALL_DISK state=$disk/state.h5
fail() { echo "full_disk_checkpoint: $*"; exit 1; }
rm -rf "$folder"
mkdir -p "$folder"

run() {
  local out=$folder/$1
  shift
  output_of "${command[@]}" -output "$out" -overwrite -gear_checkpoint "$state" "$@"
  printf '%s\n' "$output"
}
untouched() {
  cmp "$folder/before.h5" "$state" || fail "the checkpoint before is not as it was"
  [[ -z $(find "$disk" -name '*.part') ]] || fail "parts stayed"
}
command=("$@")

run first -gear_checkpoint_every 10 -gear_max_steps 10
[[ $ended == 2 && -s $state ]] || fail "no first checkpoint"
cp "$state" "$folder/before.h5"
dd if=/dev/zero of="$disk/filler" bs=64k 2>/dev/null
dd if=/dev/zero of="$disk/filler.rest" bs=512 2>/dev/null

run later -gear_checkpoint_every 10
[[ $ended == 1 ]] || fail "exit code $ended, wanted 1"
[[ $(grep -c "^error: .*checkpoint .*the disk is full.*-gear_checkpoint_failure continue" <<<"$output") == 1 ]] ||
  fail "the reason is not printed exactly once"
untouched

run later -gear_checkpoint_every 10 -gear_checkpoint_failure continue
[[ $ended == 0 ]] || fail "exit code $ended, wanted 0"
[[ $(grep -c "^warning: .*checkpoint .*the disk is full.*continues without it" <<<"$output") == 3 ]] || fail "not one warning each"
grep -q "^done" <<<"$output" || fail "it does not say done"
untouched

# The message of a stop does not refer to a checkpoint that does not exist.
run later -gear_checkpoint_failure continue -gear_max_wall 1e-6
[[ $ended == 2 ]] || fail "exit code $ended, wanted 2"
grep -q "^stopped.*no checkpoint could be written.*the checkpoint $state is of an earlier run" <<<"$output" ||
  fail "it does not say that the checkpoint is of an earlier run"
untouched
run first -gear_checkpoint_failure continue -gear_max_wall 1e-6 -gear_restart "$state"
[[ $ended == 2 ]] || fail "exit code $ended after a restart without progress, wanted 2"
untouched
mv "$state" "$folder/state.h5"
dd if=/dev/zero of="$disk/filler.more" bs=512 2>/dev/null
run later -gear_checkpoint_failure continue -gear_max_wall 1e-6
[[ $ended == 2 ]] || fail "exit code $ended, wanted 2"
grep -q "no checkpoint could be written" <<<"$output" || fail "it does not say that there is no checkpoint"

# Two of this run's own checkpoints fit on the disk, a third one does not: its attempts take the seconds up to the stop.
rm "$disk"/filler*
size=$(stat -c %s "$folder/before.h5") room=$(df -B1 --output=avail "$disk" | tail -1)
head -c $((room - 5 * size / 2)) /dev/zero >"$disk/filler"
run later -gear_checkpoint_failure continue -gear_checkpoint_every 1 -gear_max_wall 2
[[ $ended == 75 ]] || fail "exit code $ended with a checkpoint of this run, wanted 75"
grep -q "^stopped.*the last checkpoint could not be written.*the one before with -gear_restart $state" <<<"$output" ||
  fail "it does not say that the checkpoint is old"

rm "$disk"/filler* "$state"*
cp "$folder/before.h5" "$state"
run first -gear_checkpoint_every 10 -gear_restart "$state"
[[ $ended == 0 ]] || fail "exit code $ended, wanted 0"
grep -q "^continues from the checkpoint.*step 10$" <<<"$output" || fail "it does not continue from the first checkpoint"
grep -q "^done" <<<"$output" || fail "it does not say done"
