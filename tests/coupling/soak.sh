#!/usr/bin/env bash
# bash soak.sh FOLDER PROGRAM LAUNCH...: a thousand windows, each computed three times: the memory of a rank grows by
# less than a quarter of a megabyte after the first hundred.
. "$(dirname "${BASH_SOURCE[0]}")/bar.sh"
memory() { # windows
  settings "windows $1" 'window 0.1' 'iterations 3' 'force 2 1 0' 'rate 5'
  run "windows_$1" -gear_dt 0.025 -gear_order 2 "${coupled[@]}" -gear_t_end "$(awk -v n="$1" 'BEGIN { print n / 10 }')"
  sed -nE 's/.*"memory_per_rank": ([0-9.e+]+).*/\1/p' "windows_$1/summary.json"
}
early=$(memory 100) late=$(memory 1000)
echo "memory of a rank: $early bytes after 100 windows, $late after 1000"
awk -v a="$early" -v b="$late" 'BEGIN { exit !(a > 0 && b - a < 2.5e5) }' || fail "memory grows with the windows"
