# bash regions.sh <folder> <mesh> -- command: energies of the two halves of a bar: closed forms in statics; in a motion
# with viscosity their sums agree with the energy balance.
folder=$1 mesh=$2
shift 3
fail() { echo "$1"; exit 1; }
rm -rf "$folder"
mkdir -p "$folder"
bar="-dm_plex_filename $mesh -rho 1000 -clamp left -energy_regions -vtk_every 0 -material_soft_E 1e6 -material_stiff_E 4e6"
"$@" $bar -material linear_elastic -nu 0 -traction_right 1000,0,0 -static -snes_rtol 1e-12 -ksp_rtol 1e-12 -output "$folder/static" || fail "exit code $?"
# T^2 / (2 E) in each half.
awk -F, 'NR == 1 { for (i = 2; i <= NF; ++i) name[i] = $i; if ($1 != "load" || NF != 3) bad = 1 }
  NR > 1 { for (i = 2; i <= NF; ++i) { d = $i - (name[i] == "soft_stored" ? 0.5 : name[i] == "stiff_stored" ? 0.125 : -1); if (d * d > 1e-18) bad = 1 } }
  END { exit bad || NR != 2 }' "$folder/static/energy_regions.csv" || fail "$(cat "$folder/static/energy_regions.csv")"
go="-gear_checkpoint $folder/state.h5 -gear_restart $folder/state.h5 -gear_checkpoint_every 2"
move() { "$@" $bar -nu 0.3 -prony_g 0.3 -prony_tau 0.01 -material_stiff_prony_g 0 -gravity 0,0,-100 -gear_dt 0.005 -gear_t_end 0.03; }
move "$@" -output "$folder/motion" || fail "exit code $?"
paste -d, "$folder/motion/energy_regions.csv" "$folder/motion/energy.csv" | awk -F, '
  NR > 2 { k = ($2 + $4) / $7 - 1; s = ($3 + $5) / $8 - 1; if (k * k > 1e-20 || s * s > 1e-20) { bad = 1; print } }
  END { exit bad || NR != 8 }' || fail "$(cat "$folder/motion/energy_regions.csv" "$folder/motion/energy.csv")"
# Stopped and continued: the same bytes.
move "$@" $go -gear_max_steps 4 -output "$folder/again"
move "$@" $go -output "$folder/again" || fail "exit code $?"
cmp "$folder/motion/energy_regions.csv" "$folder/again/energy_regions.csv" || fail "not the same after a restart"
