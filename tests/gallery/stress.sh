# bash stress.sh <python> <folder of stress.py> <folder> -- command: compares von Mises stress of the bracket
# at nodes away from its bolts, recovered by CalculiX's method from the displacements of this run, with
# CalculiX's own on the same mesh.
python=$1 here=$2 folder=$3
shift 4
export PYTHONDONTWRITEBYTECODE=1
command -v ccx >/dev/null || { echo "skipped: CalculiX is not installed (Debian: calculix-ccx)"; exit 77; }
"$python" -c "import numpy, vtkmodules" 2>/dev/null || { echo "skipped: $python has no modules numpy and vtk"; exit 77; }
rm -rf "$folder"
"$@" -fields displacement,cauchy -output "$folder" || { echo "exit code $?"; exit 1; }
cd "$folder" || exit 1
"$python" "$here/stress.py" deck "$here/bracket.msh" >bracket.inp || exit 1
ccx bracket >ccx.log || { tail -5 ccx.log; exit 1; }
words=$("$python" "$here/stress.py" compare bracket solution/000001.pvtu) || exit 1
echo "$words"
# The largest differences of all nodes and of the loaded ones are 1.2e-4 and 1.7e-5; the frame's own stress differs by
# more than 3 % at half of the nodes (and by less than 10 %), so that the two recoveries are different.
awk '$1 == "extrapolated:" { near = $5 + 0 < 3e-4 && $9 + 0 < 4e-5 }
     $1 == "recovered:" { apart = $3 > 0.03 && $3 < 0.1 }
     END { exit !(near && apart) }' <<<"$words" || { echo "stresses differ"; exit 1; }
