# bash envelope.sh <folder> <mesh> -- command: the maximum values of a swinging beam are those of all steps at their
# positions, and an interrupted run continues with the same bytes.
folder=$1 mesh=$2
shift 3
source "$(dirname "$0")/../output_of.sh"
fail() { echo "$1"; exit 1; }
rm -rf "$folder"
mkdir -p "$folder"
beam="-dm_plex_box_faces 4,1,1 -dm_plex_box_upper 4,1,1 -E 1e6 -nu 0.3 -rho 100 -clamp xmin -gravity 0,-3,-10 -gear_adapt order
  -gear_t_end 0.6 -output_format vtkhdf -fields displacement"
value() { sed -n "s/.*\"envelope_$2\": \([^,]*\),*/\1/p" "$folder/$1/summary.json"; }
"$@" $beam -envelope displacement,von_mises,principal,velocity -output "$folder/whole" >"$folder/log" || fail "exit code $?"
grep -q "^greatest von_mises of all steps: .* at t = " "$folder/log" || fail "no last words: $(tail -5 "$folder/log")"
# A probe at each position has the same value at the same time, and no larger value before.
probes="-probe_fields von_mises,principal"
for name in displacement von_mises principal velocity; do
  probes="$probes -probe_$name $(value whole ${name}_x),$(value whole ${name}_y),$(value whole ${name}_z)"
done
go="$beam $probes -gear_checkpoint $folder/state.h5 -gear_restart $folder/state.h5 -output $folder/again"
"$@" $go -envelope von_mises,principal,velocity,displacement -gear_max_steps 15 -gear_checkpoint_every 15
[ $? -eq 2 ] || fail "it was not stopped"
cp "$folder/state.h5" "$folder/half.h5"
"$@" $go -envelope von_mises,principal,velocity,displacement || fail "exit code $?"
cmp "$folder/whole/envelope.vtkhdf" "$folder/again/envelope.vtkhdf" || fail "another envelope after a restart"
for name in displacement von_mises principal velocity; do
  [ "$(value whole $name) $(value whole ${name}_t)" = "$(value again $name) $(value again ${name}_t)" ] || fail "$name after a restart"
  awk -F, -v name=$name -v most="$(value whole $name)" -v when="$(value whole ${name}_t)" '
    NR == 1 { for (i = 1; i <= NF; ++i) column[$i] = i; next }
    { value = $column[name == "principal" ? "principal_1" : name]
      if (name == "displacement") value = sqrt($5^2 + $6^2 + $7^2)
      if (name == "velocity") value = sqrt($8^2 + $9^2 + $10^2)
      if (value > top || NR == 2) { top = value; t = $1 } }
    END { print name, most, when, "by the probe", top, t
      exit !((top / most - 1)^2 < 1e-18 && t == when && t > 0 && t < $1) }' "$folder/again/probe_$name.csv" || fail "$name"
done
# Fields of the checkpoint may be dropped; fields that it does not contain are unavailable.
cp "$folder/half.h5" "$folder/state.h5"
"$@" $go -envelope principal || fail "exit code $? without the first of them"
cp "$folder/half.h5" "$folder/state.h5"
"$@" $go -envelope displacement || fail "exit code $?"
[ "$(value again displacement) $(value again velocity)" = "$(value whole displacement) " ] || fail "dropped fields"
cp "$folder/half.h5" "$folder/state.h5"
output_of "$@" $go -envelope displacement,pressure
[ $ended -eq 1 ] || fail "exit code with a further field"
grep -q "error: .*-envelope: the run so far has recorded displacement,velocity,von_mises,principal, so the values of pressure before the checkpoint" <<<"$output" || fail "$output"
output_of "$@" $go -output_format vtu
[ $ended -eq 1 ] || fail "exit code with another format"
grep -q "error: .*-output_format: the frames so far are vtkhdf.*continue with -output_format vtkhdf" <<<"$output" || fail "$output"
# Load steps: the maximum load comes last. For a bar of two materials T^2 / (2 E) is 1/2 in the soft half, including all
# nodes of the interface on any rank, and 1/8 in the other half.
"$@" -dm_plex_filename "$mesh" -rho 1 -nu 0 -material_soft_E 1e6 -material_stiff_E 4e6 -material linear_elastic -clamp left \
  -traction_right 1000,0,0 -snes_rtol 1e-12 -ksp_rtol 1e-12 -static -load_steps 2 -envelope von_mises,energy_density \
  -output "$folder/static" -output_format vtkhdf -output_every 0 || fail "exit code $?"
awk -v s="$(value static von_mises)" -v t="$(value static von_mises_t)" 'BEGIN { exit !((s / 1000 - 1)^2 < 1e-12 && t == 1) }' ||
  fail "static: $(value static von_mises) at $(value static von_mises_t)"
/usr/bin/python3 -c "import vtkmodules.vtkIOHDF" || exit 0
/usr/bin/python3 - "$folder/static/envelope.vtkhdf" <<'END' || fail "energies of two materials"
import sys
import numpy
from vtkmodules.util.numpy_support import vtk_to_numpy
from vtkmodules.vtkIOHDF import vtkHDFReader
reader = vtkHDFReader()
reader.SetFileName(sys.argv[1])
reader.Update()
points = vtk_to_numpy(reader.GetOutput().GetPoints().GetData())
fields = reader.GetOutput().GetPointData()
most = vtk_to_numpy(fields.GetArray("energy_density_max"))
expected = numpy.where(points[:, 0] < 1 + 1e-9, 0.5, 0.125)
times = vtk_to_numpy(fields.GetArray("energy_density_time"))
sys.exit(not (numpy.allclose(most, expected, rtol=1e-9) and (times == 1).all() and len(points) > 40))
END
