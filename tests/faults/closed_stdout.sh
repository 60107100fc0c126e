#!/usr/bin/env bash
# bash closed_stdout.sh <folder> -- gearshift-solid ...: without mpirun, which ends jobs whose output is not read; the
# run reaches its end although its reader has closed the pipe.
set -uo pipefail
folder=$1
shift 2
rm -rf "$folder"
{ "$@" -output "$folder"; echo $? >"$folder.code"; } 2>"$folder.errors" | head -1
[[ $(cat "$folder.code") == 0 ]] || { echo "exit code $(cat "$folder.code")"; cat "$folder.errors"; exit 1; }
grep -q '"status": "finished"' "$folder/summary.json" || { echo "not finished"; exit 1; }
# Libraries of the machine may print warnings (hwloc, if there is no /sys).
if grep -iE 'gearshift|petsc|error|signal|pipe' "$folder.errors"; then exit 1; fi
