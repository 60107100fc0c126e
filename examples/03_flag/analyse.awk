# Prints mean, amplitude and frequency of the tip's motion:  awk -f analyse.awk probe_tip.csv
# An extremum is the vertex of the parabola through the three samples around a discrete extremum. Mean and amplitude are
# computed from the largest and the smallest extremum. The frequency counts downward crossings of the mean (linear
# between samples).
BEGIN { FS = ","; name[5] = "ux"; name[6] = "uy" }
FNR == 1 { next }
{ ++n; t[n] = $1; for (c = 5; c <= 6; ++c) u[c, n] = $c }
END {
  if (n < 3) { print "analyse: fewer than three rows" > "/dev/stderr"; exit 1 }
  for (c = 5; c <= 6; ++c) {
    lo = hi = u[c, 1]
    for (i = 2; i <= n; ++i) { if (u[c, i] < lo) lo = u[c, i]; if (u[c, i] > hi) hi = u[c, i] }
    middle = (lo + hi) / 2
    for (i = 2; i < n; ++i) {
      a = u[c, i - 1]; b = u[c, i]; e = u[c, i + 1]
      if ((b > a && b >= e) || (b < a && b <= e)) {
        bend = a - 2 * b + e
        vertex = bend == 0 ? b : b - (a - e) * (a - e) / (8 * bend)
        if (vertex < lo) lo = vertex
        if (vertex > hi) hi = vertex
      }
    }
    crossings = 0
    for (i = 1; i < n; ++i)
      if (u[c, i] > middle && u[c, i + 1] <= middle) {
        at = t[i] + (middle - u[c, i]) / (u[c, i + 1] - u[c, i]) * (t[i + 1] - t[i])
        if (!crossings++) first = at
        last = at
      }
    frequency = crossings > 1 ? sprintf("%.4f", (crossings - 1) / (last - first)) : "needs two periods"
    printf "%s [1e-3 m]: %.3f +- %.3f  frequency [Hz]: %s\n", name[c], 500 * (lo + hi), 500 * (hi - lo), frequency
  }
}
