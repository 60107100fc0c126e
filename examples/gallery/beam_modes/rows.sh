if $modes_known; then
  solve beam_modes gallery/beam_modes/beam_modes.yaml
  for mode in 1:1.610028:"first bending" 3:9.655301:"second bending" 6:25.070547:"axial"; do
    IFS=: read -r number frequency name <<<"$mode"
    row "[clamped beam](beam_modes)" "frequency, $name [Hz]" $frequency "independent solver, graded 14 x 4 x 4, degree 4" 3e-4 \
      "$(value "$run/modes.csv" frequency $number)" "16 x 3 x 3, degree 5" "-"
  done
  row "" "frequency, first bending [Hz]" 1.611048 "CalculiX, C3D20, 40 x 6 x 6" 1e-3 "$(value "$run/modes.csv" frequency 1)" "16 x 3 x 3, degree 5" "-"
fi
# Motion of this beam: longitudinal waves (E = 1e6, nu = 0), and bending under its weight.
moving="-modes 0 -gear_adapt order -probe_tip 1,0.05,0.05"
bar="-dm_plex_box_faces 10,1,1 -degree 3 -E 1e6 -nu 0 -gear_rtol 1e-5 -gear_t_end 0.5 -initial_velocity 31.6227766e-4*sin(pi*x/2),0,0"
solve bar gallery/beam_modes/beam_modes.yaml $moving $bar
row "[clamped beam](beam_modes): waves along it" "u_x of the end, t = 0.5" -1.858645e-5 "V / w sin w t" 1e-4 \
  "$(value "$run/probe_tip.csv" ux)" "10 cells, degree 3" "-gear_rtol 1e-5"
solve bar_damped gallery/beam_modes/beam_modes.yaml $moving $bar -gear_rayleigh_mass 2 -gear_rayleigh_stiffness 1e-3
row "" "with Rayleigh damping" -6.588913e-6 "V / w exp(-zeta w t) sin w t" 3e-3 "$(value "$run/probe_tip.csv" ux)" "10 cells, degree 3" "-gear_rtol 1e-5"
solve falling gallery/beam_modes/beam_modes.yaml $moving -dm_plex_box_faces 10,2,2 -degree 3 -material st_venant_kirchhoff -gravity 0,0,0-10 \
  -gear_rtol 1e-4 -gear_t_end 0.3
row "[clamped beam](beam_modes): under its weight" "u_z of the end, t = 0.3" -0.2921323 "independent solver, same mesh" 1e-3 \
  "$(value "$run/probe_tip.csv" uz)" "10 x 2 x 2, degree 3" "-gear_rtol 1e-4"
row "" "the same" -0.2917250 "CalculiX, C3D20R, 40 x 4 x 4, dt = 0.01" 3e-3 "$(value "$run/probe_tip.csv" uz)" "10 x 2 x 2, degree 3" "-gear_rtol 1e-4"
