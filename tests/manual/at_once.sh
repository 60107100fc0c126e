#!/usr/bin/env bash
# bash at_once.sh SCRIPT ROOT FOLDER GEARSHIFT_SOLID TS_PROGRAM...: two runs of options.sh in one folder, as
# by two ctests in one build, do not disturb each other: the second opens its files while the first is
# between two halves of -help.
set -euo pipefail
script=$1 root=$2 folder=$3 solid=$4
shift 4
rm -rf "$folder" && mkdir -p "$folder"
cd "$folder"
"$solid" -help >whole
cat >halves <<END
#!/bin/bash
until_there() { for i in {1..600}; do [ -e "\$1" ] && return; sleep 0.05; done; exit 1; }
cd "$folder"
if mkdir first 2>/dev/null; then
  head -n 100 whole; until_there second; tail -n +101 whole
else
  mkdir second; until_there first_done; cat whole
fi
END
chmod +x halves
bash "$script" "$root" "$folder/shared" "$folder/halves" "$@" >first.log 2>&1 &
first=$!
for i in {1..600}; do [ -e first ] && break; sleep 0.05; done
bash "$script" "$root" "$folder/shared" "$folder/halves" "$@" >second.log 2>&1 &
second=$!
wait $first || { cat first.log; touch first_done; exit 1; }
touch first_done
wait $second || { cat second.log; exit 1; }
