solve bushing gallery/bushing/bushing.yaml
row "[rubber bushing](bushing)" "torque on unit length at 0.4 rad" 6.311841 "Ogden 1984, incompressible" 1e-3 \
  "$(awk -v m="$(value "$run/forces.csv" inner_mz)" 'BEGIN { print 4 * m }')" "36 cells, degree 3" "static, 1 load step"
solve bushing_mixed gallery/bushing/bushing.yaml -degree 2 -formulation mixed -volumetric log2
row "" "the same, mixed" 6.311841 "Ogden 1984, incompressible" 2.1e-3 \
  "$(awk -v m="$(value "$run/forces.csv" inner_mz)" 'BEGIN { print 4 * m }')" "36 cells, degree 2, mixed" "static, 1 load step"
