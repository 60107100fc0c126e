# gnuplot -e "results='results'" near.gp: plots the vertical motion 12 m from the load, with absorbing and with
# reflecting boundaries.
if (!exists("results")) results = 'results'
set terminal pngcairo size 900,420 font 'sans,11'
set output results.'/ground/near.png'
set datafile separator ','
set key top left Left reverse
set grid lc rgb '#dddddd'
set xlabel 't [s]'
set ylabel 'u_z [mm]'
plot results.'/wide/probe_near.csv' using 1:(1e3 * $7) with lines lw 5 lc rgb '#cccccc' title 'block twice as wide and deep', \
     results.'/ground/probe_near.csv' using 1:(1e3 * $7) with lines lw 2 lc rgb '#1f5fa8' title 'dashpot: lysmer', \
     results.'/clamped/probe_near.csv' using 1:(1e3 * $7) with lines lw 2 lc rgb '#c0392b' title 'clamped'
