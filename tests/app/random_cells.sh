#!/usr/bin/env bash
# bash random_cells.sh <n> <file>: writes a Gmsh file of the unit cube in n x n x n cells. A random half of them is in a
# region 'stiff', the others in 'soft'; the face x = 0 is 'xmin'.
set -euo pipefail
awk -v n="$1" '
  function node(i, j, k) { return 1 + i + (n + 1) * (j + (n + 1) * k) }
  BEGIN {
    print "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n3\n2 3 \"xmin\"\n3 1 \"soft\"\n3 2 \"stiff\"\n$EndPhysicalNames"
    print "$Nodes\n" (n + 1) ^ 3
    for (k = 0; k <= n; ++k)
      for (j = 0; j <= n; ++j)
        for (i = 0; i <= n; ++i) print node(i, j, k), i / n, j / n, k / n
    print "$EndNodes\n$Elements\n" n ^ 3 + n ^ 2
    for (k = 0; k < n; ++k)
      for (j = 0; j < n; ++j)
        print ++number, 3, 2, 3, 3, node(0, j, k), node(0, j + 1, k), node(0, j + 1, k + 1), node(0, j, k + 1)
    seed = 1
    for (k = 0; k < n; ++k)
      for (j = 0; j < n; ++j)
        for (i = 0; i < n; ++i) {
          seed = (16807 * seed) % 2147483647
          region = seed < 1073741824 ? 1 : 2
          print ++number, 5, 2, region, region, node(i, j, k), node(i + 1, j, k), node(i + 1, j + 1, k), node(i, j + 1, k),
                node(i, j, k + 1), node(i + 1, j, k + 1), node(i + 1, j + 1, k + 1), node(i, j + 1, k + 1)
        }
    print "$EndElements"
  }' >"$2"
