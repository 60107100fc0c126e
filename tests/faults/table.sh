#!/usr/bin/env bash
# The messages and the behaviour of gearshift-solid for each fault: every row of the table in examples/manual/faults.md
# is generated here and must be equal to the page.
#
#   bash table.sh [--write] ROOT FOLDER GEARSHIFT_SOLID LAUNCH...
#
# --write writes the rows to the page instead of comparing. Rows for full disks are left unchanged if this user
# may not mount a small one.
set -uo pipefail
write=false
[[ $1 == --write ]] && write=true && shift
self=$(realpath "$0") root=$1 folder=$2 solid=$3
shift 3
launch=("$@")
page=$root/examples/manual/faults.md
fail() { echo "faults: $*"; kill -9 $(jobs -p) 2>/dev/null; exit 1; }

beam=(-dm_plex_box_faces 2,1,1 -E 1e6 -nu 0.3 -rho 1000 -clamp xmin -gravity 0,0,-1 -gear_dt 0.01 -gear_t_end 0.02 -output_every 0)
long=(-dm_plex_box_faces 2,1,1 -E 1e6 -nu 0.3 -rho 1000 -clamp xmin -gravity 0,0,-1 -gear_dt 0.01 -gear_t_end 1e5 -output_every 0)

# row FAULT OUTPUT CODE REMARK: writes the message, without parts that differ from run to run.
row() {
  local said
  said=$(grep -m1 -E '^(error|warning|stopped|continues)' <<<"$2" || true)
  [[ -n $said ]] || said=$(grep -m1 -oE '^done' <<<"$2" || true)
  said=${said//"$PWD/"/}
  said=$(sed -E 's/t = [0-9.e+-]+ of [0-9.e+-]+/t = ... of .../; s/: t = [0-9.]+, step [0-9]+$/: t = ..., step .../; s/process [0-9]+ on [^)]*/process ... on .../; s#file disk/[^ ]*#file disk/...#; s/-nan/nan/; s/the step from t = .* failed .* times, .*(Try a smaller)/the step from t = ... failed ... times, ... \1/; s/[0-9]+ steps.*DoFs/.../; s/(-gear_restart [^ ;]*); .*/\1/; s/[|]/\\|/g; s/[*]/\\*/g' <<<"$said")
  [[ -z $said ]] || said="\`\` $said \`\`"
  echo "| $1 | $said | $3 | $4 |" >>rows
}
# run FAULT REMARK OPTION...: runs the program separately, on one rank.
run() {
  local fault=$1 remark=$2 output code
  shift 2
  output=$("$solid" "$@" 2>&1)
  code=$?
  printf '%s\n' "$output" >last.log
  row "$fault" "$output" $code "$remark"
}
begun() {  # waits until the run in folder $1 has written some rows
  for ((i = 0; i < 600; ++i)); do
    [[ -s $1/steps.csv && $(wc -l <"$1/steps.csv") -gt ${2:-3} ]] && return
    sleep 0.05
  done
  fail "the run in $1 does not begin: $(cat "$1.log")"
}
ranks_of() { ps -o pid= --ppid "$1"; }

if [[ ${GEARSHIFT_SMALL_DISK:-} != "" ]]; then  # started again by this script, see below
  cd "$folder"
  frames=(-dm_plex_box_faces 6,3,3 -gear_t_end 0.3 -output_every 1 -overwrite)
  ln -sfn "$GEARSHIFT_SMALL_DISK" disk
  trap 'rm disk' EXIT
  run "the disk becomes full" "existing frames, rows and series are complete" "${beam[@]}" "${frames[@]}" -output disk/out
  run "the same with \`-on_write_error continue\`" "the run continues without the files that do not fit" "${beam[@]}" "${frames[@]}" -output disk/out \
    -on_write_error continue
  dd if=/dev/zero of=disk/filler bs=64k 2>/dev/null
  dd if=/dev/zero of=disk/filler.rest bs=512 2>/dev/null
  run "a checkpoint does not fit on its disk" "the previous checkpoint stays unchanged" "${beam[@]}" -gear_checkpoint disk/state.h5 \
    -gear_checkpoint_every 1 -output checkpoints
  run "the same with \`-gear_checkpoint_failure continue\`" "the run continues without it" "${beam[@]}" -gear_checkpoint disk/state.h5 \
    -gear_checkpoint_every 1 -gear_checkpoint_failure continue -output checkpoints -overwrite
  exit 0
fi

rm -rf "$folder"
mkdir -p "$folder"
cd "$folder"
folder=$PWD

# Errors in the input.
run "an unknown option" "before the mesh is used; with \`-strict false\` the run continues" "${beam[@]}" -output o -gravty 0,0,-1
printf 'E: 1e6\nnu 0.3\n' >case.yaml
run "a damaged option file" "" -options_file case.yaml "${beam[@]}" -output o
run "a missing option file" "" -options_file none.yaml "${beam[@]}" -output o
run "a face that is not in the mesh" "" "${beam[@]}" -output o -clamp nose
run "a formula with a syntax error" "" "${beam[@]}" -output o -gravity '0,0,sin(t'
printf 't,f\n0,1\n2,1\n1,1\n' >unsorted.csv
run "a table whose times are not sorted" "" "${beam[@]}" -output o -table_f unsorted.csv -gravity '0,0,f(t)'
run "a missing mesh file" "" "${beam[@]}" -output o -dm_plex_filename part.msh
head -c "$(($(stat -c %s "$root/tests/data/two_regions.msh") / 2))" "$root/tests/data/two_regions.msh" >part.msh
run "a truncated mesh file" "the message gives line and section" "${beam[@]}" -output o -dm_plex_filename part.msh
: >file
run "an output folder that cannot be created" "" "${beam[@]}" -output file/o

# Errors during the run.
run "a load that becomes NaN" "the state of the last step is kept" "${beam[@]}" -output o -overwrite -traction_xmax '0,0,sqrt(0.015-t)'
run "Newton's method fails at every smaller step" "the message gives the reason, here an inverted element; the state of the last step is kept" \
  "${beam[@]}" -output o -overwrite -material neo_hookean -gear_dt_min 0.005 -traction_xmax 0,0,-1e9
run "a static load under which the body buckles" "the equilibria up to there; \`load\` in the summary" -dm_plex_box_faces 10,1,1 -dm_plex_box_upper 20,1,1 \
  -degree 2 -material neo_hookean -E 1e3 -nu 0.3 -rho 1 -clamp xmin -traction_xmax 0-0.54,0,0 -static -output o -overwrite
run "the limit of steps" "" "${beam[@]}" -output o -overwrite -gear_max_steps 1
run "the limit of wall time" "checkpoint, last frame, summary" "${long[@]}" -output o -overwrite -gear_checkpoint wall.h5 -gear_max_wall 0.3

# Two programs in one folder.
"$solid" "${long[@]}" -output shared >shared.log 2>&1 &
begun shared
run "a second run into the folder of a live run" "the first run continues undisturbed" "${beam[@]}" -output shared
kill -9 $!
wait $! 2>/dev/null
run "a folder with the results of a crashed run" "they are moved to FOLDER.previous" "${beam[@]}" -output shared

# A reader that closes the pipe.
{ "$solid" "${beam[@]}" -gear_t_end 1 -output pipe; echo $? >pipe.code; } 2>pipe.errors | head -1 >/dev/null
row "the reader of the output exits (closed pipe)" "$(cat pipe.errors)" "$(cat pipe.code)" "the run completes"

# Signals.
"$solid" "${long[@]}" -output stopped -gear_checkpoint stopped.h5 >stopped.log 2>&1 &
begun stopped
kill -TERM $!
wait $!
code=$?
row "SIGTERM, SIGINT, SIGUSR1 or SIGXCPU" "$(cat stopped.log)" $code "checkpoint, last frame, summary"
"${launch[@]}" 2 "$solid" "${long[@]}" -output killed -gear_checkpoint killed.h5 -gear_checkpoint_every 1 >killed.log 2>&1 &
begun killed 5
victim=$(ranks_of $! | tail -1)
kill -9 $victim
wait $! 2>/dev/null
code=$?
row "one of two ranks is killed (for example out of memory)" "" $code "MPI ends all ranks; only the steps since the last checkpoint are lost"
run "\`-gear_restart\` afterwards" "the files are those of an uninterrupted run" "${beam[@]}" -gear_t_end 1 -gear_max_steps 200 -output killed \
  -gear_checkpoint killed.h5 -gear_restart killed.h5

# A slow rank.
slow=("${beam[@]}" -gear_t_end 0.5 -probe_p 1,1,1)
"${launch[@]}" 2 "$solid" "${slow[@]}" -output quick >quick.log 2>&1 || fail "$(cat quick.log)"
"${launch[@]}" 2 "$solid" "${slow[@]}" -gear_t_end 500 -gear_max_steps 1000000 -output slow >slow.log 2>&1 &
begun slow
victim=$(ranks_of $! | tail -1)
kill -STOP $victim
sleep 1
before=$(wc -l <slow/steps.csv)
sleep 1
[[ $(wc -l <slow/steps.csv) == "$before" ]] || fail "the other rank goes on alone"
kill -CONT $victim
begun slow "$((before + 50))"
kill -TERM $victim
wait $!
diff <(head -50 quick/probe_p.csv) <(head -50 slow/probe_p.csv) >/dev/null || fail "a slow rank changes the motion"
row "a rank that stalls for two seconds" "" "" "the others wait; the results are identical"

# Checkpoints.
"$solid" "${beam[@]}" -output before -gear_checkpoint good.h5 -gear_checkpoint_every 1 >/dev/null 2>&1 || fail "no checkpoint"
rm -f good.h5.previous
cp good.h5 damaged.h5
printf 'x' | dd of=damaged.h5 bs=1 seek=$(($(stat -c %s damaged.h5) / 2)) conv=notrunc 2>/dev/null
run "a damaged checkpoint" "" "${beam[@]}" -output after -gear_restart damaged.h5
head -c 2000 good.h5 >short.h5
cp good.h5 short.h5.previous
run "a truncated checkpoint next to the previous one" "" "${beam[@]}" -gear_t_end 0.03 -output after -overwrite -gear_restart short.h5
run "a checkpoint of another mesh" "" "${beam[@]}" -dm_plex_box_faces 3,1,1 -output after -overwrite -gear_restart good.h5
run "a checkpoint of another mesh of the same size, of other regions or materials" "" "${beam[@]}" -dm_plex_box_upper 3,1,1 -output after \
  -overwrite -gear_restart good.h5
run "a checkpoint whose results are in another folder" "" "${beam[@]}" -output elsewhere -gear_restart good.h5
run "a missing checkpoint" "a first run begins, so that every job can have this option" "${beam[@]}" -output after -overwrite -gear_restart none.h5

INSIDE= bash "$(dirname "$self")/small_disk.sh" 1 -- bash "$self" "$root" "$folder" "$solid" "${launch[@]}"
mounts=$?
[[ $mounts == 0 || $mounts == 77 ]] || fail "full disks"

inside='/^<!-- end of faults -->/ { inside = 0 } inside && /^[|] / { print } /^<!-- faults -->/ { inside = 1 }'
if $write; then
  [[ $mounts == 0 ]] || fail "no small disk here, rows would be lost"
  awk '/^<!-- end of faults -->/ { inside = 0 } !inside { print }
       /^<!-- faults -->/ { inside = 1; print "\n| fault | message | exit code | effect |\n|---|---|---|---|"; while ((getline line <"rows") > 0) print line; print "" }' \
    "$page" >new_page
  cp new_page "$page"
fi
awk "$inside" "$page" | sed 1d >told
[[ $mounts == 0 ]] || { echo "note: full disks are not tried, no mounts"; head -n "$(wc -l <rows)" told >part && mv part told; }
diff told rows || fail "examples/manual/faults.md (<) differs from the actual messages (>); ninja manual_faults updates it"
(($(wc -l <rows) >= 20)) || fail "hardly a row"
