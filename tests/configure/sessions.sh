#!/usr/bin/env bash
# bash sessions.sh BUILD: no two tests share the folder for Open MPI's session files.
set -euo pipefail
count=$(ctest --test-dir "$1" -N | sed -n 's/^Total Tests: //p')
mapfile -t folders < <(ctest --test-dir "$1" --show-only=json-v1 | grep -oE '"OMPI_MCA_orte_tmpdir_base=[^"]+"' | sort)
own=$(printf '%s\n' "${folders[@]}" | uniq | wc -l)
echo "$count tests, $own folders"
((count > 0 && own == count && ${#folders[@]} == count))
