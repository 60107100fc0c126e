set terminal pngcairo size 720,400
set output png
set logscale xy
set format y "10^{%T}"
set xtics (0.0025, 0.005, 0.01, 0.02)
set xrange [0.0022:0.023]
set xlabel "dt"
set ylabel "error at t = 1.9"
set key outside right samplen 2
set grid
name(i) = i == 0 ? "alpha2" : sprintf("gear, order %d", 2 * i)
plot for [i = 0:2] table index i using 1:2 with linespoints lc i + 1 pt 7 title name(i) . ": u", \
     for [i = 0:2] table index i using 1:3 with linespoints lc i + 1 pt 6 dt 2 title name(i) . ": u'"
