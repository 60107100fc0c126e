set terminal pngcairo size 560,360
set output png
set logscale y
set format y "10^{%T}"
set xtics 1
set xrange [0.8:6.2]
set xlabel "order"
set ylabel "error at t = 1.9, dt = 0.01"
set grid
plot table using 1:2 with linespoints pt 7 title "u", table using 1:3 with linespoints pt 6 title "u'"
