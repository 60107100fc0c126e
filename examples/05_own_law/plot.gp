# Plots the displacement of the rope's end for both laws:  gnuplot examples/05_own_law/plot.gp
if (!exists("gent")) gent = "results/rope"
if (!exists("neo")) neo = "results/rope_neo"
set terminal pngcairo size 900,450
set output gent."/end.png"
set datafile separator ","
set title "A rubber rope, pulled: displacement of its end"
set xlabel "t [s]"
set ylabel "u_x [m]"
set grid
set key top left
plot neo."/probe_end.csv" every ::1 using 1:5 with lines lw 2 title "neo-Hooke", \
     gent."/probe_end.csv" every ::1 using 1:5 with lines lw 2 title "Gent, J_m = 3"
print "plot: ".gent."/end.png"
