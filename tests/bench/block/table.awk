# awk -v ranks=N -v steps=N -f table.awk runs.csv: prints medians as a Markdown table. Ratios are a build's processor
# time divided by that of the first build.
function median(key,    n, i, j, t, v) {
  n = count[key]
  for (i = 1; i <= n; ++i) v[i] = values[key, i]
  for (i = 1; i <= n; ++i) for (j = i + 1; j <= n; ++j) if (v[j] < v[i]) { t = v[i]; v[i] = v[j]; v[j] = t }
  return v[int((n + 1) / 2)]
}
function note(key, value) { values[key, ++count[key]] = value + 0 }
BEGIN { FS = "," }
NR > 1 {
  problem = $2 " " $3
  key = problem " " $1
  if (!(problem in known)) { known[problem] = 1; problems[++number] = problem }
  if (!($1 in built)) { built[$1] = 1; builds[++versions] = $1 }
  if (!(key in dofs)) dofs[key] = $4
  for (i = 5; i <= 10; ++i) note(key " " i, $i)
  corner[key] = $11
}
END {
  printf "%d load steps on %d rank%s; processor time of all ranks; B/DoF of all ranks beside the program; ratio: processor time over the first build's\n\n",
    steps, ranks, (ranks > 1 ? "s" : "")
  for (b = 1; b <= versions; ++b) if (versions > 1) printf "build %d: %s\n", b, builds[b]
  print "\n| degree | DoF | contrast | build | Newton | Krylov | whole run s | load steps s | processor s | B/DoF | u_x of the corner | ratio |"
  print "|---|---|---|---|---|---|---|---|---|---|---|---|"
  for (i = 1; i <= number; ++i) {
    split(problems[i], part, " ")
    for (b = 1; b <= versions; ++b) {
      key = problems[i] " " builds[b]
      first = problems[i] " " builds[1]
      if (!(key in dofs)) { printf "| %s | - | %s | %d | failed |\n", part[1], part[2], b; continue }
      printf "| %s | %d | %s | %d | %d | %d | %.1f | %.1f | %.1f | %.0f | %.6f | %s |\n", part[1], dofs[key], part[2], b,
        median(key " 5"), median(key " 6"), median(key " 7"), median(key " 8"), median(key " 9"),
        median(key " 10") * ranks / dofs[key], corner[key],
        (b > 1 && first in dofs ? sprintf("%.2f", median(key " 9") / median(first " 9")) : "-")
    }
  }
}
