#!/usr/bin/env bash
# Rates of gearshift-bench beside deal.II's (dealii.cpp), run in turns, and their ratios.
#   compare.sh <gearshift-bench> [rounds 3] [degrees "1 2 3 4"]
# Needs libdeal.ii-dev. Each figure is the median over the rounds of medians of processor time on one core, in millions of
# unknowns a second; 2.7 million unknowns, beyond the caches.
set -euo pipefail
bench=$(realpath "$1")
rounds=${2:-3}
degrees=${3:-1 2 3 4}
here=$(cd "$(dirname "$0")" && pwd)
work=${COMPARE_WORK:-$(mktemp -d)}
config=${DEAL_II_INCLUDE:-/usr/include/deal.II}/base/config.h
[[ -f $config ]] || { echo "error: deal.II is not installed (Debian: libdeal.ii-dev)"; exit 1; }
export DEAL_II_NUM_THREADS=1

if [[ ! -x $work/dealii ]]; then
  # The width of this machine's registers in deal.II's own terms, in a copy of its configuration.
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

# row <degree> <cells> <product> <who> <rate>
log=$work/rates
: > "$log"
ours() {  # degree cells material name-of-product options...
  local degree=$1 cells=$2 material=$3
  shift 3
  mpirun -np 1 "$bench" operator -degree "$degree" -cells "$cells" -material "$material" -dofs 2.738e6 -repeat 7 "$@"
}
pick() {  # product in JSON lines -> rate by processor time
  sed -n "s/.*\"product\": \"$1\".*\"MDoF\/s_cpu\": \([0-9.]*\).*/\1/p"
}
theirs() {  # degree cells
  mpirun -np 1 "$work/dealii" "$1" "$2" 7 | awk -v d="$1" -v c="$2" '!/^#/ {print d, c, $1, "deal.II", $3}' >> "$log"
}
# deal.II before and after ours: what else the machine does at the time slows both.
for ((round = 0; round < rounds; ++round)); do
  for degree in $degrees; do
    for cells in general cartesian; do
      theirs "$degree" "$cells"
      lines=$(ours "$degree" "$cells" neo_hookean)
      echo "$lines" | grep '"machine"' || true
      for product in tangent residual kernel matmult; do
        echo "$degree $cells $product ours $(echo "$lines" | pick $product)" >> "$log"
      done
      if [[ $cells == general ]]; then
        lines=$(ours "$degree" "$cells" neo_hookean -solid_points float)
        echo "$degree $cells tangent float $(echo "$lines" | pick tangent)" >> "$log"
      else
        lines=$(ours "$degree" "$cells" linear_elastic)
        echo "$degree $cells elastic ours $(echo "$lines" | pick tangent)" >> "$log"
      fi
      theirs "$degree" "$cells"
    done
  done
done

awk '
  { key = $1 " " $2 " " $3; rate[key, $4, ++count[key, $4]] = $5; keys[key] = 1 }
  function median(key, who,   n, i, j, t, v) {
    n = count[key, who]
    if (n == 0) return 0
    for (i = 1; i <= n; ++i) v[i] = rate[key, who, i]
    for (i = 1; i <= n; ++i) for (j = i + 1; j <= n; ++j) if (v[j] < v[i]) { t = v[i]; v[i] = v[j]; v[j] = t }
    return v[int((n + 1) / 2)]
  }
  END {
    printf "%-8s %-10s %-9s %9s %9s %7s %9s %7s\n", "degree", "cells", "product", "deal.II", "ours", "ratio", "float", "ratio"
    for (key in keys) {
      peer = median(key, "deal.II"); own = median(key, "ours"); lean = median(key, "float")
      if (!own) continue
      split(key, part, " ")
      printf "%-8s %-10s %-9s %9s %9.1f", part[1], part[2], part[3], peer ? sprintf("%.1f", peer) : "-", own | "sort"
      if (peer > 0) printf " %7.2f", own / peer | "sort"
      if (lean > 0) printf " %9.1f %7.2f", lean, lean / peer | "sort"
      printf "\n" | "sort"
    }
  }' "$log"
