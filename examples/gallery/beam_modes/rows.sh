if $modes_known; then
  solve beam_modes gallery/beam_modes/beam_modes.yaml
  for mode in 1:1.610028:"first bending" 3:9.655301:"second bending" 6:25.070547:"axial"; do
    IFS=: read -r number frequency name <<<"$mode"
    row "[clamped beam](beam_modes)" "frequency, $name [Hz]" $frequency "independent solver, graded 14 x 4 x 4, degree 4" 3e-4 \
      "$(value "$run/modes.csv" frequency $number)" "16 x 3 x 3, degree 5" "-"
  done
  row "" "frequency, first bending [Hz]" 1.611048 "CalculiX, C3D20, 40 x 6 x 6" 1e-3 "$(value "$run/modes.csv" frequency 1)" "16 x 3 x 3, degree 5" "-"
fi
