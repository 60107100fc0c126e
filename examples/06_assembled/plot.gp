# Plots the motion of ground and roof:  gnuplot -e "table='frame.txt'; png='roof.png'" plot.gp
set terminal pngcairo size 640,360
set output png
set xlabel "t [s]"
set ylabel "displacement [m]"
set grid
set key above
plot table using 1:2 with lines lw 1 dt 2 title "ground", table using 1:3 with lines lw 2 title "roof"
