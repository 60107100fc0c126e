# awk -F, -f difference.awk REFERENCE RUN: the largest difference of uz of a run from the reference at the times of the run,
# relative to the largest |uz| of the reference, in per cent. Cubic Hermite interpolation by uz and vz.
FNR == 1 { for (i = 1; i <= NF; ++i) column[$i] = i; next }
FNR == NR {
  t[++n] = $1; u[n] = $column["uz"]; v[n] = $column["vz"]
  if (u[n] * u[n] > most * most) most = u[n]
  next
}
{
  while (k + 1 < n && t[k + 2] < $1) ++k
  if (k < 1) k = 1
  h = t[k + 1] - t[k]; s = ($1 - t[k]) / h; r = 1 - s
  e = r * r * (1 + 2 * s) * u[k] + s * r * r * h * v[k] + s * s * (3 - 2 * s) * u[k + 1] - s * s * r * h * v[k + 1] - $column["uz"]
  if (e * e > worst * worst) worst = e
}
END {
  if (n < 2 || most == 0) { print "difference.awk: no motion" > "/dev/stderr"; exit 1 }
  e = 100 * worst / most
  printf "%.2g\n", e < 0 ? -e : e
}
