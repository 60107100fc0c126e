solve frame_peak gallery/frame/frame.yaml -gear_t_end 2.785
row "[shaken frame](frame)" "drift of the roof at its peak, t = 2.785 [m]" 0.0051693 "superposition of 50 modes" 0.01 \
  "$(value "$run/probe_roof.csv" ux)" "62 cells, degree 2" "-gear_rtol 3e-4"
if $modes_known; then
  solve frame_modes gallery/frame/frame.yaml -modes 50
  modes=$run
  solve frame gallery/frame/frame.yaml
  if words=$(/usr/bin/python3 "$here/frame/superpose.py" "$modes" "$here/frame/quake.csv" "$run"); then
    echo "$words"
    row "" "largest difference of drift in 12 s, over its peak" 0 "superposition of 50 modes" 0.01 \
      "$(sed -E 's/.*largest drift ([0-9.]+) .*all times ([0-9.]+)/\1 \2/' <<<"$words" | awk '{ print $2 / $1 }')" "62 cells, degree 2" "-gear_rtol 3e-4"
  fi
fi
