# bash balance.sh <folder> -- command: a column under loads that crush it. Newton finds an equilibrium whose support
# carries the load, or reports that it has not found one, or that the column buckles earlier.
folder=$1
shift 2
column="-static -dm_plex_box_faces 1,1,8 -dm_plex_box_upper 1,1,8 -degree 2 -E 1e3 -nu 0.3 -rho 1 -clamp zmin"
bears() {
  load=$1
  shift
  rm -rf "$folder"
  if "$@" $column -output "$folder" >"$folder.txt" 2>&1; then
    awk -F, -v load="$load" 'NR == 1 { for (i = 1; i <= NF; ++i) if ($i == "zmin_fz") column = i }
      { force = $column } END { exit !((force / load - 1) ^ 2 < 1e-8) }' "$folder/forces.csv" ||
      { echo "the support does not bear $load:"; cat "$folder/forces.csv"; exit 1; }
  else
    grep -Eq "equilibrium was found|the equilibrium is unstable: the body buckles" "$folder.txt" || { cat "$folder.txt"; exit 1; }
  fi
}
bears 2000 "$@" -material st_venant_kirchhoff -force_zmax 0,0,-2000
bears 400 "$@" -material linear_elastic -gravity 0,0,-50 -load_steps 4
bears 400 "$@" -material neo_hookean -gravity 0,0,-50 -load_steps 4
