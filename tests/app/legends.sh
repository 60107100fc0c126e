# bash legends.sh <folder> -- command: the names and units of fields that a run writes to its summary, for legends.
folder=$1
shift 2
fail() { echo "$1"; exit 1; }
beam="-dm_plex_box_faces 2,1,1 -degree 1 -E 1e6 -nu 0.3 -rho 1000 -clamp xmin -gravity 0,0,-1 -gear_dt 0.01 -gear_t_end 0.02 -overwrite"
# expect LINES OPTION...: the summary of a run with these options has these lines about fields, and no others.
expect() {
  local expected=$1 found
  shift
  "${command[@]}" $beam -output "$folder" "$@" >/dev/null || fail "exit code $?"
  found=$(sed -nE 's/^ *"((label|unit)_[a-z_]*|units)": "([^"]*)",?$/\1=\3/p' "$folder/summary.json")
  diff <(echo "$expected") <(echo "$found") || fail "$* (<: expected)"
}
command=("$@")
expect "units=mm,t,s
label_displacement=displacement
unit_displacement=mm
label_velocity=velocity
unit_velocity=mm/s
label_acceleration=acceleration
unit_acceleration=mm/s²
label_cauchy=Cauchy stress
unit_cauchy=MPa
label_von_mises=von Mises stress
unit_von_mises=MPa
label_principal=principal stresses
unit_principal=MPa
label_strain=strain
label_energy_density=energy density
unit_energy_density=mJ/mm³
label_pressure=pressure
unit_pressure=MPa
label_history=equivalent plastic strain
label_region=region
label_quality=cell quality
label_von_mises_points=von Mises stress at quadrature points
unit_von_mises_points=MPa
label_velocity_max=peak velocity
unit_velocity_max=mm/s
label_velocity_time=time of the peak velocity
unit_velocity_time=s" -units mm,t,s -envelope velocity -fields \
  displacement,velocity,acceleration,cauchy,von_mises,principal,strain,energy_density,pressure,history,region,quality,von_mises_points
expect "units=m,kg,s
label_von_mises=von Mises stress
unit_von_mises=Pa
label_energy_density=energy density
unit_energy_density=J/m³" -units m,kg,s -fields von_mises,energy_density
expect "units=m,g,ms
label_von_mises=von Mises stress
unit_von_mises=kPa
label_energy_density=energy density
unit_energy_density=kJ/m³" -units m,g,ms -fields von_mises,energy_density
# Without prefixes for such powers of ten.
expect "units=cm,kg,s
label_von_mises=von Mises stress
unit_von_mises=kg/(cm s²)
label_energy_density=energy density
unit_energy_density=kg/(cm s²)" -units cm,kg,s -fields von_mises,energy_density
expect "units=um,mg,us
label_displacement=displacement
unit_displacement=µm
label_displacement_max=peak displacement
unit_displacement_max=µm
label_displacement_time=load factor of the peak displacement" -units um,mg,us -fields displacement -static -envelope displacement
expect "label_von_mises=von Mises stress" -fields von_mises  # no units
expect "" -output_every 0
