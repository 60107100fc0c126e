#!/usr/bin/env bash
# Computes the cost at equal error of every set that run.sh has left in a folder.   table.sh folder results.txt
# For each set: nonlinear solves and Newton iterations (linear solves) of gear divided by the peer's at the same error,
# interpolated linearly in log(error), log(count), as the geometric mean over the errors that both reach.
# "~": no common error, the lines are extrapolated to the middle of the gap (or to the only point). "=": both are exact,
# compared at equal tolerances. "alone": the peer fails at every tolerance. "fails": gear does.
# Fails if more than a tenth of the sets need more than 1.2 times the peer's solves, or one more than twice.
set -euo pipefail
folder=$1 results=$2
for file in "$folder"/*/result.txt; do
  set_name=$(basename "$(dirname "$file")")
  awk -v name="$set_name" '{ print name, $0 }' "$file"
done | sort -k1,1 -k2,2 -k4,4gr | awk '
  # log(count) of a type at log(error) e. Beyond its points the line is extrapolated with a slope that formulas
  # of order 2 to 10 can have.
  function cost_at(type, what, e,    i, from, slope, last) {
    last = n[type]
    for (i = 1; i < last - 1; ++i) if (e >= error[type, i + 1]) break
    from = e > error[type, i] || last == 1 ? i : i + 1
    slope = last == 1 ? 0.3 : (cost[type, what, i + 1] - cost[type, what, i]) / (error[type, i] - error[type, i + 1])
    if (e > error[type, 1] || e < error[type, last]) slope = slope < 0.1 ? 0.1 : slope > 0.5 ? 0.5 : slope
    return cost[type, what, from] - slope * (e - error[type, from])
  }
  function ratio(what,    low, high, i, sum, parts, e) {
    if (!n["gear"]) return "fails"
    if (!n[peer]) return "alone"
    if (error["gear", 1] <= log(exact) && error[peer, 1] <= log(exact)) {
      parts = 0
      for (i in pair) if (pair[i] == 2) { sum += at["gear", what, i] - at[peer, what, i]; ++parts }
      return sprintf("=%.2f", exp(sum / parts))
    }
    low = error["gear", n["gear"]]; if (error[peer, n[peer]] > low) low = error[peer, n[peer]]
    high = error["gear", 1]; if (error[peer, 1] < high) high = error[peer, 1]
    if (low > high || n["gear"] == 1 || n[peer] == 1) {
      low = (low + high) / 2
      if (n["gear"] == 1) low = error["gear", 1]
      if (n[peer] == 1) low = error[peer, 1]
      return sprintf("~%.2f", exp(cost_at("gear", what, low) - cost_at(peer, what, low)))
    }
    parts = 8
    for (i = 0; i <= parts; ++i) {
      e = high + (low - high) * i / parts
      sum += cost_at("gear", what, e) - cost_at(peer, what, e)
    }
    return sprintf("%.2f", exp(sum / (parts + 1)))
  }
  # Points in the order of decreasing errors; a point with larger error and larger cost than another one is ignored.
  function add(type, tolerance, e, solves, newton,    k) {
    ++pair[tolerance]
    at[type, "solves", tolerance] = log(solves); at[type, "newton", tolerance] = log(newton > 0 ? newton : 1)
    e = log(e > exact ? e : exact)
    while (n[type] && error[type, n[type]] >= e && cost[type, "solves", n[type]] >= log(solves)) --n[type]
    if (n[type] && error[type, n[type]] <= e) return
    k = ++n[type]
    error[type, k] = e; cost[type, "solves", k] = log(solves); cost[type, "newton", k] = log(newton > 0 ? newton : 1)
  }
  function flush(    s, value) {
    if (name == "") return
    s = ratio("solves")
    value = s; sub(/^[~=]/, "", value)
    ++sets
    if (s == "fails") ++failing
    if (s == "fails" || value + 0 > 1.2) ++above
    if (s == "fails" || value + 0 > 2) ++twice
    printf "%-16s %-7s %7s %7s", name, peer, s, ratio("newton")
    for (i = 1; i <= rows; ++i) printf "  %s", row[i]
    print ""
  }
  BEGIN {
    exact = 1e-11
    printf "%-16s %-7s %7s %7s  %s\n", "set", "peer", "solves", "Newton", "type tolerance error steps solves Newton"
  }
  $1 != name { flush(); name = $1; rows = 0; delete n; delete error; delete cost; delete pair; delete at; peer = "" }
  {
    if ($2 != "gear") peer = $2
    row[++rows] = $2 " " $3 " " $4 " " $5 " " $6 " " $7 ($9 == "ok" ? "" : " " $9)
    if ($9 == "ok" && $4 != "inf") add($2, $3, $4, $6, $7)
  }
  END {
    flush()
    printf "%d sets: %d above 1.2 times the peer'"'"'s nonlinear solves, %d above twice", sets, above, twice
    printf " (of these gear fails in %d)\n", failing
    exit above > sets / 10 || twice > 0
  }' >"$results" && code=0 || code=$?
cat "$results"
exit "$code"
