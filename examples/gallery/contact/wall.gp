# Pressure of the wall on the bar: gnuplot examples/gallery/contact/wall.gp writes results/contact_bar/wall.png
set terminal pngcairo size 640,360
set output "results/contact_bar/wall.png"
set datafile separator ","
set xlabel "t"
set ylabel "pressure on the wall"
set yrange [0:380]
exact(t) = t >= 0.5 && t <= 0.5 + 2.0 / 3 ? 300 : 0
set samples 4000
plot exact(x) with lines linewidth 2 linecolor rgb "gray60" title "exact", \
     "results/contact_bar/forces.csv" using 1:4 every ::1 with lines linewidth 2 linecolor rgb "#c03030" title "100 cells of degree 1"
