#!/usr/bin/env bash
# Passes if `gearshift-bench operator -on_request` runs exactly the products named on its standard input, in that order,
# and ends with an error, on all ranks, for an unknown one.
#
#   bash requests.sh command...
set -uo pipefail
asked="residual single tangent"
found=$(printf '%s\n' $asked | "$@" | sed 's/.*"product": "\([a-z+]*\)".*"MDoF\/s": [0-9.]*[1-9].*/\1/' | paste -s -d ' ')
[[ $found == "$asked" ]] || { echo "asked for '$asked', ran '$found'"; exit 1; }
errors=$(printf '%s\n' tangent mass residual | "$@" 2>&1 > /dev/null) && { echo "no error for an unknown product"; exit 1; }
[[ $errors == *"give on each line one of tangent, "* ]] || { echo "$errors"; exit 1; }
