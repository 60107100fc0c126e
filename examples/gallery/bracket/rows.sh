# Results of CalculiX 2.20 on the same mesh (C3D10, NLGEOM, *FREQUENCY): displacement, von Mises, six frequencies.
bracket() { # mesh file, its description, u_y of the lug, von Mises at the front and at the back, frequencies ...
  local mesh=$1 words=$2 lug=$3 front=$4 back=$5 number=0 frequency
  shift 5
  solve bracket gallery/bracket/bracket.yaml -dm_plex_filename "$mesh"
  row "[bracket](bracket)" "u_y of the lug [m]" $lug "CalculiX, same mesh" 1e-6 "$(value "$run/probe_lug.csv" uy)" "$words" "static"
  row "" "von Mises in front of the lug's foot [Pa]" $front "CalculiX, same mesh" 0.02 "$(value "$run/probe_front.csv" von_mises)" "$words" "static"
  row "" "von Mises behind it [Pa]" $back "CalculiX, same mesh" 0.06 "$(value "$run/probe_back.csv" von_mises)" "$words" "static"
  $modes_known || return 0
  solve bracket_modes gallery/bracket/bracket.yaml -dm_plex_filename "$mesh" -gravity 0,0,0 -modes 6
  for frequency; do
    number=$((number + 1))
    [ $number = 1 ] || [ $number = 6 ] || continue
    row "" "frequency $number [Hz]" $frequency "CalculiX, same mesh" 1e-4 "$(value "$run/modes.csv" frequency $number)" "$words" "-"
  done
}
bracket examples/gallery/bracket/bracket.msh "1615 tetrahedra, degree 2" 4.269384e-4 2.976255e8 2.948980e8 \
  2421.148 4339.591 5859.082 7037.299 9050.156 12706.96
if command -v gmsh >/dev/null; then
  gmsh -3 "$here/bracket/bracket.geo" -setnumber lc 0.008 -setnumber order 1 -format msh41 -o "$results/bracket_fine.msh" >/dev/null
  cells=$(awk '/^\$Elements/ { getline; for (blocks = $1; blocks > 0; --blocks) {
    getline; if ($1 == 3) cells += $4; for (lines = $4; lines > 0; --lines) getline } } END { print cells }' "$results/bracket_fine.msh")
  [ "$cells" != 6427 ] && echo "gmsh has made a mesh that differs from the reference mesh: $cells tetrahedra"
  bracket "$results/bracket_fine.msh" "$cells tetrahedra, degree 2" 4.630810e-4 3.934651e8 3.790240e8 \
    2320.358 4162.505 5699.069 6825.464 8851.297 12472.65
fi
# This bracket under base excitation by a shock; CalculiX uses the trapezoidal rule.
solve shaken_peak gallery/bracket/shaken.yaml -gear_t_end 6.53e-4
row "[shaken bracket](bracket)" "u_y of the lug, t = 0.653 ms [m]" -1.355975e-4 "superposition of 24 modes" 1e-3 \
  "$(value "$run/probe_lug.csv" uy)" "1615 tetrahedra, degree 2" "-gear_rtol 1e-3"
if $modes_known; then
  solve shaken_modes gallery/bracket/shaken.yaml -base_acceleration 0,1,0 -modes 24 -frequency_response 20,28000,1400
  modes=$run
fi
solve shaken gallery/bracket/shaken.yaml
words=$(python3 "$here/bracket/calculix.py" compare "$here/bracket/calculix.csv" "$run")
echo "$words"
row "" "largest difference in 1 ms, over the peak" 0 "CalculiX, same mesh, steps extrapolated" 1e-4 "${words##* }" "1615 tetrahedra, degree 2" \
  "-gear_rtol 1e-3"
if $modes_known && words=$(/usr/bin/python3 "$here/bracket/respond.py" "$modes" "$here/bracket/shock.csv" "$run"); then
  echo "$words"
  row "" "largest difference in 3 ms, over the peak" 0 "superposition of 24 modes" 5e-3 \
    "$(awk '{ print $NF / ($7 < 0 ? -$7 : $7) }' <<<"$words")" "1615 tetrahedra, degree 2" "-gear_rtol 1e-3"
fi
