#!/usr/bin/env bash
# bash links.sh ROOT: every link of the Markdown files must point to a file or folder of the repository, and the
# manual's first page to all examples and pages.
set -euo pipefail
cd "$1"
failed=0 count=0
for page in README.md .github/*.md examples/*/*.md tests/bench/*/*.md; do
  # Fenced blocks contain code, in which brackets have other meanings.
  while read -r target; do
    count=$((count + 1))
    [[ -e $(dirname "$page")/$target ]] || { echo "error: $page has a link to $target, which is not there"; failed=1; }
  done < <(awk '/^[ \t]*```/ { code = !code; next } !code' "$page" | sed -E 's/`[^`]*`//g' | grep -oE '\]\([^) ]+\)' |
    sed -E 's/^\]\(//; s/\)$//; s/#.*//' | grep -vE '^(https?:|mailto:|$)')
done
for page in examples/[0-9]*/README.md examples/manual/*.md; do
  [[ $page == examples/manual/README.md ]] && continue
  grep -qF "(../${page#examples/})" examples/manual/README.md || grep -qF "(${page##*/})" examples/manual/README.md ||
    { echo "error: no way leads from the manual's first page to $page"; failed=1; }
done
((count > 100)) || { echo "error: hardly any link was found"; exit 1; }
((failed)) || echo "$count links"
exit $failed
