# awk -v n=<cells along a side> -v kind=hexahedra|tetrahedra -f box_msh.awk: writes the unit cube as an ASCII file MSH
# 2.2, with the volume "body" and the face "bottom" (z = 0). Tetrahedra: six per cube, as in gearshift's boxes.
function node(i, j, k) { return 1 + i + (n + 1) * (j + (n + 1) * k) }
function element(type, physical, entity, nodes) { print ++count, type, 2, physical, entity, nodes }
BEGIN {
  tets = kind == "tetrahedra"
  print "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n2\n2 101 \"bottom\"\n3 102 \"body\"\n$EndPhysicalNames\n$Nodes"
  print (n + 1) ^ 3
  for (k = 0; k <= n; ++k) for (j = 0; j <= n; ++j) for (i = 0; i <= n; ++i) print node(i, j, k), i / n, j / n, k / n
  print "$EndNodes\n$Elements"
  print n * n * (tets ? 2 : 1) + n * n * n * (tets ? 6 : 1)
  for (j = 0; j < n; ++j) for (i = 0; i < n; ++i) {
    a = node(i, j, 0); b = node(i + 1, j, 0); c = node(i + 1, j + 1, 0); d = node(i, j + 1, 0)
    if (tets) { element(2, 101, 1, a " " b " " c); element(2, 101, 1, a " " c " " d) } else element(3, 101, 1, a " " b " " c " " d)
  }
  x = 1; y = n + 1; z = (n + 1) ^ 2
  split(x " " y " " x " " z " " y " " x " " y " " z " " z " " x " " z " " y, step, " ")  # two steps of each path
  for (k = 0; k < n; ++k) for (j = 0; j < n; ++j) for (i = 0; i < n; ++i) {
    a = node(i, j, k); g = a + x + y + z
    if (!tets) { element(5, 102, 1, a " " a + x " " a + x + y " " a + y " " a + z " " a + x + z " " g " " a + y + z); continue }
    for (p = 0; p < 6; ++p) {
      b = a + step[2 * p + 1]; c = b + step[2 * p + 2]
      # Paths x-y-z, y-z-x and z-x-y are right-handed.
      right = p == 0 || p == 3 || p == 4
      element(4, 102, 1, a " " (right ? b " " c : c " " b) " " g)
    }
  }
  print "$EndElements"
}
