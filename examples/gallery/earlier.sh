# Lines of the table for the examples outside the gallery.
solve csm1 03_flag/csm1.yaml -degree 4
row "[flag](../03_flag), at rest (CSM1)" "u_y of the tip" -0.0661029 "Featflow, level 4+3" 5e-4 "$(value "$run/probe_tip.csv" uy)" "35 x 2, degree 4" "static, 4 load steps"
solve taylor 13_taylor_bar/bar.yaml
row "[Taylor's bar](../13_taylor_bar)" "length after 80 us [mm]" 21.43 "Camacho, Ortiz 1997: 21.42 - 21.44" 2e-3 \
  "$(awk -v u="$(value "$run/probe_top.csv" uz)" 'BEGIN { print 32.4 + 1000 * u }')" "112 cells, degree 2" "-gear_rtol 3e-3"
