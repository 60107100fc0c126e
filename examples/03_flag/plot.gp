# Plots the motion of the tip:  gnuplot -e "folder='results/flag'" examples/03_flag/plot.gp
if (!exists("folder")) folder = "results/flag"
set terminal pngcairo size 900,600
set output folder."/tip.png"
set datafile separator ","
set multiplot layout 2,1 title "Turek-Hron bar, CSM3: displacement of the tip"
set xlabel "t [s]"
set grid
set key top right
set ylabel "u_x [m]"
plot folder."/probe_tip.csv" every ::1 using 1:5 with lines lw 2 notitle
set ylabel "u_y [m]"
plot folder."/probe_tip.csv" every ::1 using 1:6 with lines lw 2 lc 2 notitle
unset multiplot
print "plot: ".folder."/tip.png"
