set terminal pngcairo size 640,360
set output png
set xlabel "t [s]"
set ylabel "mean deflection of the free end [m]"
set grid
plot table using 1:2 with lines lw 2 notitle
