#!/usr/bin/env bash
# bash docs.sh DOXYGEN DOXYFILE HTML: the manual is made without a warning, and none of its links leads nowhere.
set -euo pipefail
doxygen=$1 doxyfile=$2 html=$3
rm -rf "$html"
"$doxygen" "$doxyfile"
cd "$html"
for page in index start tutorial choices figures options solid theory embedding cluster testing contributing changelog \
  classgearshift_1_1Stepper classgearshift_1_1solid_1_1Body; do
  [[ -s $page.html ]] || { echo "error: there is no page $page.html"; exit 1; }
done
failed=0
mapfile -t links < <(grep -ohE '(href|src)="[^"#]+' -- *.html | sed -E 's/^[a-z]+="//' | grep -vE '^(https?|mailto|javascript):' | sort -u)
((${#links[@]} > 100)) || { echo "error: hardly any link"; exit 1; }
for link in "${links[@]}"; do
  [[ -e $link ]] || { echo "error: $link is nowhere, but $(grep -lF "\"$link" -- *.html | head -n 1) leads there"; failed=1; }
done
# Programs that pages show are there.
grep -q 'Duffing' embedding.html || { echo "error: the C++ program is not on its page"; failed=1; }
# Doxygen takes `v = q'` for a quotation: such code needs two backticks.
grep -lF '&lsquo;' -- *.html && { echo "error: code that ends with an apostrophe stands between single backticks"; failed=1; }
exit $failed
