# Prints tables from the lines of gearshift-bench-search: every solver is compared with the
# peers cvode, cvode2 and sdirk.
#   awk -f search.awk [-v most=n] [-v oracle=bdf] file ...        with lists of the n worst (40)
# For every system and tolerance the oracle uses the better run of that solver and of sdirk: the cheaper one whose error
# is below the bound, otherwise the one with the smaller error.
# A run's ratio is its linear solves divided by those of the peer's cheapest run whose error is no larger. Another one, at
# equal tolerance, divides by the solves of the cheaper run of cvode and cvode2 whose error is below 50 tol.
BEGIN { FS = "\t"; huge = 1e300; few = 50; if (!most) most = 40 }
/^#/ || NF < 21 { next }
{
  name = $11; tol = $12 + 0; key = $1 " " $2; ok = $20 == "ok" || $20 == "energy"
  error = ok && $18 != "inf" && $18 != "nan" && $18 != "-nan" ? $18 + 0 : huge
  cpu[name] += $21
  if (name == "cvode" || name == "cvode2" || name == "sdirk") {
    n = ++runs[name, key]
    peer_solves[name, key, n] = $15; peer_error[name, key, n] = error
    at_tolerance[name, key, level(tol)] = error; at_solves[name, key, level(tol)] = $15; at_growth[name, key, level(tol)] = $19
    next
  }
  if (!(name in known)) { known[name]; names[++count] = name }
  i = ++total[name]
  line[name, i] = key; kind[key] = $3; zeta[key] = $5 == $6 ? $5 : $5 ".." $6; ratio[key] = $7; fast[key] = $8
  periods[key] = $9
  tolerance[name, i] = tol; solves[name, i] = $15; errors[name, i] = error; grown[name, i] = $19; status[name, i] = $20
  note[name, i] = $22
}
function level(t) { return sprintf("%.0f", -2 * log(t) / log(10)) }
function least(a, b) { return a < b ? a : b }
function cheapest(peer, key, error,    i, best) {
  best = huge
  for (i = 1; i <= runs[peer, key]; ++i)
    if (peer_error[peer, key, i] <= error && peer_error[peer, key, i] < huge) best = least(best, peer_solves[peer, key, i])
  return best
}
# Sorts the numbers v[1..n] in ascending order, and w with them.
function sort(v, w, n,    gap, i, j, x, y) {
  for (gap = int(n / 2); gap > 0; gap = int(gap / 2))
    for (i = gap + 1; i <= n; ++i) {
      x = v[i]; y = w[i]
      for (j = i; j > gap && v[j - gap] > x; j -= gap) { v[j] = v[j - gap]; w[j] = w[j - gap] }
      v[j] = x; w[j] = y
    }
}
# Returns the solves of cvode's or cvode2's run at this tolerance if its error is below 50 tol.
function with_same_tolerance(peer, key, tol) {
  return reached(peer, key, tol) <= 50 * tol ? at_solves[peer, key, level(tol)] : huge
}
function part(v, n, p,    i) { i = int(p * n + 0.999999); return n == 0 ? "-" : sprintf("%.2f", v[i < 1 ? 1 : i]) }
function where(name, i,    key) {
  key = line[name, i]
  return sprintf("%-5s %-7s zeta %-18s ratio %-7s fast %-9s periods %-5s tol %-6g", kind[key], key, zeta[key], ratio[key],
                 fast[key], periods[key], tolerance[name, i])
}
function reached(peer, key, tol,    l) { l = level(tol); return (peer, key, l) in at_tolerance ? at_tolerance[peer, key, l] : huge }
function limit(tol) { return least(50 * tol, 0.1) }
function add_oracle(name,    i, n, key, tol, l, bound, mine, its, take) {
  names[++count] = "oracle"
  for (i = 1; i <= total[name]; ++i) {
    key = line[name, i]; tol = tolerance[name, i]; l = level(tol); bound = limit(tol)
    mine = errors[name, i]; its = reached("sdirk", key, tol)
    if (its <= bound && mine <= bound) take = at_solves["sdirk", key, l] < solves[name, i]
    else take = its < mine
    n = ++total["oracle"]
    line["oracle", n] = key; tolerance["oracle", n] = tol
    errors["oracle", n] = take ? its : mine
    solves["oracle", n] = take ? at_solves["sdirk", key, l] : solves[name, i]
    grown["oracle", n] = take ? at_growth["sdirk", key, l] : grown[name, i]
    status["oracle", n] = errors["oracle", n] < huge ? "ok" : "limit"
  }
}
function show(error) { return error < huge ? sprintf("%.3g", error) : "-" }

# Prints one row of the table: runs of `name` at `tol`, or at all tolerances (0).
function row(name, tol,    i, key, e, s, c, best, nc, nb, ne, nt, run, bad, above, failed, seen, none, bound, theirs, within3, sum) {
  delete vc; delete vb; delete wc; delete wb; delete ve; delete we; delete vt; delete wt
  for (i = 1; i <= total[name]; ++i) {
    if (tol > 0 && tolerance[name, i] != tol) continue
    ++run; key = line[name, i]; e = errors[name, i]; s = solves[name, i]; sum += s
    bound = limit(tolerance[name, i])
    ve[++ne] = e < huge ? e / tolerance[name, i] : huge
    theirs = least(reached("cvode", key, tolerance[name, i]), reached("sdirk", key, tolerance[name, i]))
    if (e > bound && theirs <= bound) { ++bad; if (tol == 0) { bads[bad] = i; excess[bad] = -e / bound } }
    else if (e > bound && e > theirs) ++above
    if (grown[name, i] > 1.05 && status[name, i] == "ok") { ++seen; if (tol == 0) growths[seen] = i }
    if (e == huge) { ++failed; if (tol == 0) failures[failed] = i; continue }
    if (s < few) continue
    c = with_same_tolerance("cvode", key, tolerance[name, i])
    c = least(c, with_same_tolerance("cvode2", key, tolerance[name, i]))
    if (c < huge) { vt[++nt] = s / c; wt[nt] = i }
    c = cheapest("cvode", key, e)
    best = least(c, cheapest("cvode2", key, e))
    if (name !~ /^sdirk/) best = least(best, cheapest("sdirk", key, e))
    if (c < huge) { vc[++nc] = s / c; wc[nc] = i }
    if (best < huge) { vb[++nb] = s / best; wb[nb] = i; if (s <= 3 * best) ++within3 } else ++none
  }
  sort(vc, wc, nc); sort(vb, wb, nb); sort(vt, wt, nt); sort(ve, we, ne)
  printf "%-12s %-7s %5d | %5s %6s %8s | %5s %6s %6s %8s %6s ", name, (tol > 0 ? tol : "all"), run, part(vc, nc, 0.5),
         part(vc, nc, 0.9), part(vc, nc, 1), part(vb, nb, 0.5), part(vb, nb, 0.9), part(vb, nb, 0.99), part(vb, nb, 1),
         (nb ? sprintf("%.1f", 100 * within3 / nb) : "-")
  printf "| %5s %6s %8s | %6s %8s | %4d %5d %6d %6d %5d | %9d\n", part(vt, nt, 0.5), part(vt, nt, 0.99), part(vt, nt, 1),
         part(ve, ne, 0.5), (ne && ve[ne] < huge ? sprintf("%.0f", ve[ne]) : "-"), bad, above, failed, seen, none, sum
  if (tol == 0) { bad_count = bad + 0; failed_count = failed + 0; grown_count = seen + 0; ratio_count = nb + 0 }
}
END {
  if (count == 0) { print "no run to judge" > "/dev/stderr"; exit 1 }
  if (oracle in known) add_oracle(oracle)
  print "Ratios of solves, by runs of 50 solves and more: to CVODE 1-5 | to the least of CVODE 1-5, CVODE 1-2 and sdirk"
  print "(for sdirk: without itself), with the per cent that is within 3 | at equal tolerance, to CVODE with errors below 50 tol"
  print "| error / tol, all runs. bad: error above min(50 tol, 0.1) where CVODE or sdirk at this tolerance is below; above:"
  print "both are not, one is better; grown: 5 % of energy gained without a warning; none: no peer's run is as good."
  printf "%-12s %-7s %5s | %5s %6s %8s | %5s %6s %6s %8s %6s ", "solver", "tol", "runs", "med", "decile", "worst", "med",
         "decile", "99 %", "worst", "<=3 %"
  printf "| %5s %6s %8s | %6s %8s | %4s %5s %6s %6s %5s | %9s\n", "med", "99 %", "worst", "med", "largest", "bad", "above",
         "failed", "grown", "none", "solves"
  for (k = 1; k <= count; ++k) {
    name = names[k]; n = 0
    delete levels; delete unused; delete seen_tol
    for (i = 1; i <= total[name]; ++i)
      if (!(tolerance[name, i] in seen_tol)) { seen_tol[tolerance[name, i]]; levels[++n] = -tolerance[name, i] }
    sort(levels, unused, n)
    for (i = 1; i <= n; ++i) row(name, -levels[i])
    row(name, 0)
    for (i = 0; i < least(20, ratio_count); ++i) { top[k, i] = vb[ratio_count - i]; top_run[k, i] = wb[ratio_count - i] }
    tops[k] = least(20, ratio_count)
    nbad[k] = bad_count; nfail[k] = failed_count; ngrown[k] = grown_count
    sort(excess, bads, bad_count)
    for (i = 1; i <= bad_count; ++i) { bad_run[k, i] = bads[i]; bad_excess[k, i] = -excess[i] }
    for (i = 1; i <= failed_count; ++i) fail_run[k, i] = failures[i]
    for (i = 1; i <= grown_count; ++i) grown_run[k, i] = growths[i]
  }
  for (k = 1; k <= count; ++k) {
    name = names[k]
    if (nbad[k]) print "\n" name ": bad errors over their bound (kind, seed and system): " nbad[k]
    for (i = 1; i <= least(nbad[k], most); ++i) {
      r = bad_run[k, i]; key = line[name, r]
      printf "  %8s %s error %-8s solves %-6d cvode %-8s sdirk %s\n", (errors[name, r] < huge ? sprintf("%.3g", bad_excess[k, i]) : "-"), where(name, r),
             show(errors[name, r]), solves[name, r],
             show(reached("cvode", key, tolerance[name, r])), show(reached("sdirk", key, tolerance[name, r]))
    }
    if (nfail[k]) print "\n" name ": failed or given up: " nfail[k]
    for (i = 1; i <= least(nfail[k], most); ++i) {
      r = fail_run[k, i]; key = line[name, r]
      printf "  %s %s solves %-6d cvode %-8s sdirk %-8s %s\n", where(name, r), status[name, r], solves[name, r],
             show(reached("cvode", key, tolerance[name, r])), show(reached("sdirk", key, tolerance[name, r])),
             substr(note[name, r], 1, 60)
    }
    if (ngrown[k]) print "\n" name ": energy gained without a warning: " ngrown[k]
    for (i = 1; i <= least(ngrown[k], most); ++i) {
      r = grown_run[k, i]
      printf "  %s growth %-8s error %s\n", where(name, r), grown[name, r], show(errors[name, r])
    }
    print "\n" name ": worst ratios"
    for (i = 0; i < tops[k]; ++i) {
      r = top_run[k, i]
      printf "  %8.2f %s error %-8s solves %d\n", top[k, i], where(name, r), show(errors[name, r]), solves[name, r]
    }
  }
  printf "\nCPU seconds:"
  for (name in cpu) printf " %s %.1f", name, cpu[name]
  print ""
}
