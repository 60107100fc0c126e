solve balloon gallery/balloon/balloon.yaml
stretch=$(awk -v u="$(value "$run/probe_inner.csv" ux)" 'BEGIN { printf "%.9g", 1 + u }')
row "[balloon](balloon)" "pressure at a stretch of 1.37351 [bar]" 0.521032 "Green, Adkins 1960, incompressible" 5e-4 \
  "$(awk -v l="$stretch" 'BEGIN { printf "%.9g", 1.35 / l ^ 3 }')" "27 cells, degree 2, mixed" "static, 3 load steps"
