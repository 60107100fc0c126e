set terminal pngcairo size 640,440
set output png
set logscale xy
set format xy "10^{%T}"
set xlabel "dt"
set ylabel "error of |q| at t = 10"
set key bottom right
set grid
plot for [k = 1:6] table index k - 1 using 1:2 with linespoints pt 7 title sprintf("order %d", k)
