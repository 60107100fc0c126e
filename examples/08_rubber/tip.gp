# gnuplot -e "results='results'" tip.gp: plots the end of the strip with and without relaxation, and the energy balance.
if (!exists("results")) results = 'results'
set terminal pngcairo noenhanced size 900,640 font 'sans,11'
set output results.'/rubber/tip.png'
set datafile separator ','
set grid lc rgb '#dddddd'
set multiplot layout 2,1
set ylabel 'u_y at the end [mm]'
set key bottom right
plot results.'/elastic/probe_tip.csv' using 1:(1e3 * $6) with lines lw 1 lc rgb '#999999' title 'without prony_g', \
     results.'/rubber/probe_tip.csv' using 1:(1e3 * $6) with lines lw 2 lc rgb '#1f5fa8' title 'prony_g 0.3,0.2'
set xlabel 't [s]'
set ylabel 'energy [mJ]'
set key top right
energy = results.'/rubber/energy.csv'
plot energy using 1:(1e3 * $4) with lines lw 5 lc rgb '#cccccc' title 'work of the load', \
     energy using 1:(1e3 * $6) with lines lw 2 lc rgb '#c0392b' title 'dissipated', \
     energy using 1:(1e3 * ($2 + $3)) with lines lw 2 lc rgb '#1f5fa8' title 'kinetic and stored'
unset multiplot
