# gnuplot -e "folder='data'; output='.'" plot.gp: draws products.png (rates against degree) and solves.png (seconds and
# iterations against unknowns) from the files of table.awk.
set terminal pngcairo size 900,600 font "sans,14"
set grid xtics ytics lt 1 lc rgb "#dddddd"
file(name) = folder . "/" . name . ".dat"
there(name) = int(system("test -s '" . file(name) . "' && echo 1 || echo 0"))

products = "neo_hookean_general_tangent neo_hookean_cartesian_tangent linear_elastic_cartesian_matmult baij aij"
title(s) = s eq "aij" ? "assembled, AIJ" : s eq "baij" ? "assembled, BAIJ 3x3" : \
  s eq "linear_elastic_cartesian_matmult" ? "linear elastic, Cartesian cells, MatMult" : \
  s eq "neo_hookean_general_tangent" ? "neo-Hookean tangent, general cells" : "neo-Hookean tangent, Cartesian cells"
colour(s) = s eq "aij" ? 0x7f7f7f : s eq "baij" ? 0x1f3fb4 : s eq "neo_hookean_general_tangent" ? 0xd62728 : \
  s eq "neo_hookean_cartesian_tangent" ? 0xff7f0e : 0x2ca02c
shown = ""
do for [s in products] { if (there(s)) { shown = shown . " " . s } }
if (strlen(shown)) {
  set output output . "/products.png"
  set xlabel "degree"
  set ylabel "10^6 DoF/s, one core"
  set xrange [0.8:4.2]
  set xtics 1
  set yrange [0:*]
  set key bottom right
  plot for [s in shown] file(s) using 1:2 with linespoints lc rgb colour(s) lw 2.5 pt 7 title title(s)
}

runs = "ours_1 ours_2 ours_3 ours_4 assembled_1 assembled_2"
degree(s) = s[strlen(s):strlen(s)]
who(s) = s[1:4] eq "ours" ? "gearshift Q" . degree(s) : "AIJ + GAMG Q" . degree(s)
ink(s) = degree(s) eq "1" ? 0x1f3fb4 : degree(s) eq "2" ? 0xd62728 : degree(s) eq "3" ? 0x2ca02c : 0xff7f0e
dash(s) = s[1:4] eq "ours" ? 1 : 2
shown = ""
do for [s in runs] { if (there(s)) { shown = shown . " " . s } }
if (strlen(shown)) {
  set terminal pngcairo size 900,1100 font "sans,16"
  set output output . "/solves.png"
  set xrange [*:*]
  set xtics auto
  set logscale x
  set format x "10^{%T}"
  set xlabel "DoF"
  set multiplot layout 2,1
  set logscale y
  set yrange [*:*]
  set ylabel "set-up + solve, processor seconds of a rank"
  set key top left
  plot for [s in shown] file(s) using 1:2 with linespoints lc rgb ink(s) lw 2.5 dt dash(s) pt 7 title who(s)
  unset logscale y
  set key center right
  set yrange [0:*]
  set ylabel "CG iterations to 10^{-8}"
  plot for [s in shown] file(s) using 1:3 with linespoints lc rgb ink(s) lw 2.5 dt dash(s) pt 7 title who(s)
  unset multiplot
}
