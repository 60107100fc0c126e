set terminal pngcairo size 640,400
set output png
set logscale xy
set format y "10^{%T}"
set xtics (10, 20, 40, 80, 160)
set xrange [9:178]
set xlabel "windows in 4 s"
set ylabel "largest error of both masses"
set key outside right
set grid
plot for [k = 1:5] table index k - 1 using 1:2 with linespoints pt 7 title sprintf("order %d", k)
