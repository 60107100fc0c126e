#!/usr/bin/env bash
# bash house.sh REPOSITORY: for each example, the table of src/README.md that explains where to add something must name
# all files of src and include that contain the example, and no others.
set -euo pipefail
cd "$1"
failed=0 rows=0
while IFS='|' read -r _ what example files _; do
  pattern=$(sed 's/^ *`//; s/` *$//' <<<"$example")
  named=$(grep -o '`[^`]*`' <<<"$files" | tr -d '`' | sort)
  found=$(grep -rlwF -e "$pattern" src include --include='*.?pp' --include='*.h' --include='*.c' | sort)
  rows=$((rows + 1))
  [[ $named == "$found" ]] && continue
  failed=1
  echo "error: src/README.md:$what(<) and the sources (>) disagree about $pattern"
  diff <(echo "$named") <(echo "$found") | grep '^[<>]' || true
done < <(sed -n '/^| to add/,$ { /^| to add/d; /^|--/d; /^|/p }' src/README.md)
((rows >= 8)) || { echo "error: src/README.md has $rows rows"; failed=1; }
exit $failed
