for degree in 2 3 4; do
  solve hole_$degree gallery/hole/hole.yaml -degree $degree
  row "[plate with a hole](hole)" "stress xx at the top of the hole" 3 "Kirsch 1898, exact" 0.05 \
    "$(value "$run/probe_crown.csv" cauchy_xx)" "72 cells, degree $degree" "static"
  row "" "stress yy at its side" -1 "Kirsch 1898, exact" 0.05 "$(value "$run/probe_side.csv" cauchy_yy)" "72 cells, degree $degree" "static"
  row "" "stress xx a radius above it" 1.21875 "Kirsch 1898, exact" 6e-3 "$(value "$run/probe_inside.csv" cauchy_xx)" "72 cells, degree $degree" "static"
done
