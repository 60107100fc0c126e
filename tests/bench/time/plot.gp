# gnuplot -e "folder='...'; problem='bar'; output='bar.png'" plot.gp: plots error against F + Jv and CPU time.
set terminal pngcairo size 900,1100 font "sans,16" enhanced
set output output
set logscale xy
set format x "10^{%T}"
set format y "10^{%T}"
set grid xtics ytics lt 1 lc rgb "#dddddd"
set ylabel "relative error at the end, the larger of q and v"
set yrange [*:2]

solvers = "gear gear_unguarded gear2 gear_ndf2 gear_sdirk cvode cvode2 cvode_stald ida ida_tuned dirk3 dirk3_tuned " . \
  "dirk4 dirk4_tuned tsbdf2 tsbdf2_tuned tsbdf3 tsbdf3_tuned tsbdf4 tsbdf4_tuned tsbdf5 tsbdf5_tuned " . \
  "alpha2 alpha2_tuned"
# One colour per family, thick lines for gearshift, dashed lines for the library's default tolerances.
colour(s) = s eq "gear" ? 0xd62728 : s eq "gear_unguarded" ? 0xff9896 : s eq "gear2" ? 0xff7f0e : \
  s eq "gear_ndf2" ? 0xb8860b : s eq "gear_sdirk" ? 0xe377c2 : \
  s eq "cvode" ? 0x1f3fb4 : s eq "cvode2" ? 0x6baed6 : s eq "cvode_stald" ? 0x9ecae1 : s[1:3] eq "ida" ? 0x17becf : \
  s[1:5] eq "dirk3" ? 0x2ca02c : s[1:5] eq "dirk4" ? 0x006400 : \
  s[1:6] eq "tsbdf2" ? 0x9467bd : s[1:6] eq "tsbdf3" ? 0xc5b0d5 : s[1:6] eq "tsbdf4" ? 0x8c564b : \
  s[1:6] eq "tsbdf5" ? 0xc49c94 : 0x7f7f7f
width(s) = s[1:4] eq "gear" ? 3.5 : s eq "cvode" ? 2.5 : 1.5
dashed(s) = s[1:4] eq "gear" || s[1:5] eq "cvode" || strstrt(s, "_tuned") > 0 ? 1 : 2
file(s) = folder . "/" . problem . "." . s . ".dat"
there(s) = int(system("test -s '" . file(s) . "' && echo 1 || echo 0"))
shown = ""
do for [s in solvers] { if (there(s)) { shown = shown . " " . s } }

set multiplot layout 2,1 title problem . ": error against work" noenhanced
set xlabel "forces and tangent products"
set key outside right top vertical spacing 1.1 noenhanced
plot for [s in shown] file(s) using 2:1 with linespoints lc rgb colour(s) lw width(s) dt dashed(s) pt 7 ps 0.9 title s
set xlabel "processor time [s]"
plot for [s in shown] file(s) using 3:1 with linespoints lc rgb colour(s) lw width(s) dt dashed(s) pt 7 ps 0.9 title s
unset multiplot
