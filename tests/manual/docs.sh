#!/usr/bin/env bash
# bash docs.sh DOXYGEN DOXYFILE HTML: the manual must be generated without a warning and without broken links.
set -euo pipefail
doxygen=$1 doxyfile=$2 html=$3
rm -rf "$html"
"$doxygen" "$doxyfile"
cd "$html"
# Prints the file of a page. Since 1.9.7 Doxygen writes _8 for a dot and _2 for a slash in its name.
page_of() { find . -regex "./md_.*$1\(_2\)?_?$2\.html" -size +0 | head -n 1; }
for page in index classgearshift_1_1Stepper classgearshift_1_1solid_1_1Body; do
  [[ -s $page.html ]] || { echo "error: page $page.html is missing"; exit 1; }
done
for page in start tutorial choices figures options solid theory embedding cluster testing; do
  [[ -n $(page_of manual "$page") ]] || { echo "error: the page of $page is missing"; exit 1; }
done
[[ -n $(page_of github CONTRIBUTING) ]] || { echo "error: the page of contributions is missing"; exit 1; }
failed=0
mapfile -t links < <(grep -ohE '(href|src)="[^"#]+' -- *.html | sed -E 's/^[a-z]+="//' | grep -vE '^(https?|mailto|javascript):' | sort -u)
((${#links[@]} > 100)) || { echo "error: hardly any link"; exit 1; }
for link in "${links[@]}"; do
  [[ -e $link ]] || { echo "error: $link is nowhere, but $(grep -lF "\"$link" -- *.html | head -n 1) leads there"; failed=1; }
done
# Files and excerpts that pages include must be there.
for word in Duffing TSGearSnapshotRestore shift_a advance_to assemble_matrix; do
  grep -q "$word" "$(page_of manual embedding)" || { echo "error: the page of embedding shows no $word"; failed=1; }
done
# Doxygen parses `v = q'` as a quotation: such code needs two backticks.
grep -lF '&lsquo;' -- *.html && { echo "error: code that ends with an apostrophe stands between single backticks"; failed=1; }
exit $failed
