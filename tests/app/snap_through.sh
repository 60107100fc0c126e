# bash snap_through.sh <folder> -- command: an arch under an increasing load snaps through at 0.79 of it, for load steps
# of any length. The run ends there with exit code 2, reports the reason, and keeps the equilibria up to there.
folder=$1
shift 2
fail() { echo "$1"; cat "$folder/log.txt"; exit 1; }
rm -rf "$folder"
mkdir -p "$folder"
# A parabola of span 20, rise 0.5 and thickness 0.3, of 12 cells.
awk -v n=12 -v rise=0.5 -v h=0.3 'BEGIN {
  print "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n3\n2 1 \"ends\"\n2 2 \"top\"\n3 3 \"arch\"\n$EndPhysicalNames"
  print "$Nodes\n" 4 * (n + 1)
  for (i = 0; i <= n; ++i) {
    s = 2 * i / n - 1
    for (k = 0; k < 2; ++k) for (j = 0; j < 2; ++j) print ++node, 20 * i / n, j, rise * (1 - s * s) + (k - 0.5) * h
  }
  print "$EndNodes\n$Elements\n" 2 + 2 * n
  print "1 3 2 1 1 1 2 4 3\n2 3 2 1 1", 4 * n + 1, 4 * n + 2, 4 * n + 4, 4 * n + 3
  for (i = 0; i < n; ++i) { b = 4 * i; print 3 + i, "3 2 2 2", b + 3, b + 7, b + 8, b + 4 }
  for (i = 0; i < n; ++i) { b = 4 * i; print 3 + n + i, "5 2 3 3", b + 1, b + 5, b + 6, b + 2, b + 3, b + 7, b + 8, b + 4 }
  print "$EndElements"
}' >"$folder/arch.msh"
for steps in 1 10; do
  "$@" -dm_plex_filename "$folder/arch.msh" -degree 2 -material neo_hookean -E 1000 -nu 0 -rho 1 -clamp ends -fix_y top -static \
    -traction_top 0,0,0-0.003 -load_steps $steps -vtk_every 100 -probe_p 10,0.5,0.5 -output "$folder/out" -overwrite >"$folder/log.txt" 2>&1
  code=$?
  [ $code = 2 ] || fail "exit code $code, wanted 2"
  grep -Eq '^stopped at load 0[.]7[0-9]* of 1 [(].*at load [0-9.]* the body has jumped to another branch of equilibria: .*compute the motion' \
    "$folder/log.txt" || fail "another last line"
  if grep -q "^done" "$folder/log.txt"; then fail "it says done"; fi
  load=$(sed -n 's/.*"load": \([0-9.e-]*\).*/\1/p' "$folder/out/summary.json")
  grep -q '"status": "unfinished"' "$folder/out/summary.json" || fail "summary: $(cat "$folder/out/summary.json")"
  # The load factor agrees with the last row and the last frame, and the support carries it; the deflection of the
  # middle is less than 0.3, while the other branch starts at 0.6.
  awk -F, -v load="$load" 'NR > 1 { last = $1; if ($7 < -0.3) bad = 1 } END { exit bad || last != load || !(load > 0.75 && load < 0.792) }' \
    "$folder/out/probe_p.csv" || fail "load $load, probe_p.csv: $(cat "$folder/out/probe_p.csv")"
  awk -F, -v load="$load" 'NR == 1 { for (i = 1; i <= NF; ++i) if ($i == "ends_fz") column = i }
    { force = $column } END { exit !((force / (0.06009916 * load) - 1) ^ 2 < 1e-11) }' "$folder/out/forces.csv" ||
    fail "load $load, forces.csv: $(cat "$folder/out/forces.csv")"
  sed -n 's/.*timestep="\([^"]*\)".*/\1/p' "$folder/out/solution.pvd" |
    awk -v load="$load" '{ last = $1 } END { exit !((last - load) ^ 2 < 1e-20) }' ||
    fail "load $load, solution.pvd: $(cat "$folder/out/solution.pvd")"
done
