# Rows of the table for the examples outside the gallery.
solve csm1 03_flag/csm1.yaml -degree 4
row "[flag](../03_flag), at rest (CSM1)" "u_y of the tip" -0.0661029 "Featflow, level 4+3" 5e-4 "$(value "$run/probe_tip.csv" uy)" "35 x 2, degree 4" "static, 4 load steps"
solve csm2 03_flag/csm2.yaml -degree 4
row "[flag](../03_flag), four times as stiff (CSM2)" "u_y of the tip" -0.016971 "ours, 70 x 4, degree 4" 5e-4 "$(value "$run/probe_tip.csv" uy)" "35 x 2, degree 4" "static, 4 load steps"
solve csm3 03_flag/csm3.yaml
read -r mean amplitude frequency < <(awk -f "$here/../03_flag/analyse.awk" "$run/probe_tip.csv" | awk '/^uy/ { print 1e-3 * $4, 1e-3 * $6, $NF }')
row "[flag](../03_flag), swinging (CSM3)" "u_y of the tip, mean" -0.063607 "Featflow, 4+0, 0.005; a reference to 2 %" 2e-2 "$mean" "35 x 2, degree 2" "0.005, BDF2"
row "" "its amplitude" 0.065160 "Featflow, 4+0, 0.005" 2e-2 "$amplitude" "35 x 2, degree 2" "0.005, BDF2"
row "" "its frequency [Hz]" 1.0995 "Featflow, 4+0, 0.005" 1e-2 "$frequency" "35 x 2, degree 2" "0.005, BDF2"
solve taylor 13_taylor_bar/bar.yaml
row "[Taylor's bar](../13_taylor_bar)" "length after 80 us [mm]" 21.43 "Camacho, Ortiz 1997: 21.42 - 21.44" 2e-3 \
  "$(awk -v u="$(value "$run/probe_top.csv" uz)" 'BEGIN { print 32.4 + 1000 * u }')" "112 cells, degree 2" "-gear_rtol 3e-3"
