#!/usr/bin/env bash
# Rates of gearshift-bench compared with deal.II's (dealii.cpp), and their ratios.
#   compare.sh <gearshift-bench> [turns 21] [degrees "1 2 3 4"]
# Needs libdeal.ii-dev. All programs of a degree and shape are kept running and take turns product by product, so that
# other load on the machine slows all of them: rates are medians over the turns, in millions of unknowns per second of
# processor time on one core; ratios are medians of the turns' ratios; 2.7 million unknowns, beyond the caches.
set -euo pipefail
bench=$(realpath "$1")
turns=${2:-21}
degrees=${3:-1 2 3 4}
here=$(cd "$(dirname "$0")" && pwd)
work=${COMPARE_WORK:-$(mktemp -d)}
config=${DEAL_II_INCLUDE:-/usr/include/deal.II}/base/config.h
[[ -f $config ]] || { echo "error: deal.II is not installed (Debian: libdeal.ii-dev)"; exit 1; }
export DEAL_II_NUM_THREADS=1

if [[ ! -x $work/dealii ]]; then
  # Configures the width of this machine's registers in deal.II's own terms, in a copy of its configuration.
  bits=128
  grep -qw avx2 /proc/cpuinfo && bits=256
  wide=
  grep -qw avx512f /proc/cpuinfo && bits=512 wide=-mprefer-vector-width=512
  mkdir -p "$work/wide/deal.II/base"
  sed "s/^#define DEAL_II_VECTORIZATION_WIDTH_IN_BITS .*/#define DEAL_II_VECTORIZATION_WIDTH_IN_BITS $bits/" "$config" \
    > "$work/wide/deal.II/base/config.h"
  mpicxx -std=c++17 -O3 -march=native $wide -DNDEBUG -w -I"$work/wide" -I/usr/include/trilinos \
    -I/usr/lib/petsc/include "$here/dealii.cpp" -o "$work/dealii" -Wl,--copy-dt-needed-entries -ldeal.ii -ltbb -lpetsc_real
fi

declare -A to from
start() {  # name command...: keeps a program running that computes a product for each line of input
  local name=$1 in out
  shift
  rm -f "$work/$name.in" "$work/$name.out"
  mkfifo "$work/$name.in" "$work/$name.out"
  "$@" < "$work/$name.in" > "$work/$name.out" &
  exec {in}> "$work/$name.in" {out}< "$work/$name.out"
  to[$name]=$in from[$name]=$out
}
rate() {  # name product: rate of the second of two runs; the first one finds the caches as another program left them
  local line
  for _ in 1 2; do
    echo "$2" >&"${to[$1]}"
    read -r line <&"${from[$1]}" || { echo "error: $1 ended" >&2; exit 1; }
  done
  if [[ $line == *'"MDoF/s_cpu": '* ]]; then line=${line#*'"MDoF/s_cpu": '} && echo "${line%%,*}"; else echo "${line##* }"; fi
}
stop() {
  local name in out
  for name in "${!to[@]}"; do
    in=${to[$name]} out=${from[$name]}
    exec {in}>&- {out}<&-
  done
  to=() from=()
  wait
}

log=$work/rates
: > "$log"
# contest <peer>:<product> <row>=<who>:<product>...: rates turn by turn next to the peer's; the first turn is a warm-up
contest() {
  local turn peer entry who
  for ((turn = 0; turn <= turns; ++turn)); do
    peer=$(rate "${1%:*}" "${1#*:}")
    for entry in "${@:2}"; do
      who=${entry#*=}
      echo "$degree $cells ${entry%%=*} $peer $(rate "${who%:*}" "${who#*:}")" >> "$log.turn"
    done
    if ((turn)); then cat "$log.turn" >> "$log"; fi
    rm "$log.turn"
  done
}
ours() {  # ranks options...
  echo mpirun --oversubscribe -np "$1" "$bench" operator -degree "$degree" -cells "$cells" -dofs 2.738e6 -on_request "${@:2}"
}
for degree in $degrees; do
  for cells in general cartesian; do
    start two $(ours 2 -material neo_hookean)
    rate two tangent > /dev/null  # while only one of its ranks works the other spins, and the rest would wait for both
    start deal.II mpirun -np 1 "$work/dealii" "$degree" "$cells"
    start ours $(ours 1 -material neo_hookean)
    start float $(ours 1 -material neo_hookean -solid_points float)
    start elastic $(ours 1 -material linear_elastic)
    contest deal.II:tangent tangent=ours:tangent tangent,float_points=float:tangent tangent,all_float=ours:single
    contest deal.II:residual residual=ours:residual
    contest deal.II:elastic elastic=elastic:tangent
    contest ours:tangent tangent,two_ranks/one=two:tangent tangent,all_float/double=ours:single
    stop
  done
done

awk '
  function median(key,   n, i, j, t, v) {
    n = count[key]
    for (i = 1; i <= n; ++i) v[i] = value[key, i]
    for (i = 1; i <= n; ++i) for (j = i + 1; j <= n; ++j) if (v[j] < v[i]) { t = v[i]; v[i] = v[j]; v[j] = t }
    return v[int((n + 1) / 2)]
  }
  function add(key, x) { value[key, ++count[key]] = x }
  {
    row = $1 " " $2 " " $3
    if (!(row in seen)) { seen[row] = 1; rows[++last] = row }
    add(row " peer", $4); add(row " own", $5); add(row " ratio", $5 / $4)
  }
  END {
    form = "%-6s %-9s %-24s"
    printf form " %9s %9s %7s\n", "degree", "cells", "product", "peer", "ours", "ratio"
    for (i = 1; i <= last; ++i) {
      split(rows[i], part, " ")
      printf form " %9.1f %9.1f %7.2f\n", part[1], part[2], part[3], median(rows[i] " peer"), median(rows[i] " own"), median(rows[i] " ratio")
    }
  }' "$log"
