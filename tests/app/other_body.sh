#!/usr/bin/env bash
# bash other_body.sh <folder> <mpiexec...> -- command...: a checkpoint of a bar of two regions can be continued on any
# number of ranks, and on the same body read from a file with other node numbers. With different nodes, cells, regions
# or materials in the same number it is refused, with a message about the difference.
set -uo pipefail
folder=$1
shift
launch=()
while [ "$1" != -- ]; do launch+=("$1"); shift; done
shift
fail() { echo "$1"; exit 1; }
rm -rf "$folder"
mkdir -p "$folder"
cd "$folder" || exit 1

# bar <file> <cell numbers in their order> <region of the first half> <of the second> <offset of node
# numbers> <shift of a node>
bar() {
  awk -v cells="$2" -v first="$3" -v second="$4" -v tags="$5" -v moved="$6" '
    function node(i, j, k) { return tags + 1 + j + 2 * k + 4 * i }
    BEGIN {
      OFMT = "%.17g"
      print "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n3\n2 7 \"root\"\n3 8 \"soft\"\n3 9 \"stiff\"\n$EndPhysicalNames"
      print "$Nodes\n20"
      for (i = 0; i <= 4; ++i)
        for (k = 0; k <= 1; ++k)
          for (j = 0; j <= 1; ++j) print node(i, j, k), i + (i == 2 && j && k) * moved, j, k
      print "$EndNodes\n$Elements\n5"
      print ++number, 3, 2, 7, 1, node(0, 0, 0), node(0, 0, 1), node(0, 1, 1), node(0, 1, 0)
      split(cells, order, ",")
      for (c = 1; c <= 4; ++c) {
        i = order[c]
        region = i < 2 ? first : second
        print ++number, 5, 2, region, region + 10, node(i, 0, 0), node(i + 1, 0, 0), node(i + 1, 1, 0), node(i, 1, 0),
              node(i, 0, 1), node(i + 1, 0, 1), node(i + 1, 1, 1), node(i, 1, 1)
      }
      print "$EndElements"
    }' >"$1"
}
bar bar.msh 0,1,2,3 8 9 0 0
bar other_tags.msh 0,1,2,3 8 9 100 0
bar backwards.msh 3,2,1,0 9 8 0 0
bar exchanged.msh 0,2,1,3 8 9 0 0
bar moved.msh 0,1,2,3 8 9 0 1e-12
bar swapped.msh 0,1,2,3 9 8 0 0

# run <ranks> <file> <option...>
run() {
  local ranks=$1 mesh=$2
  shift 2
  "${launch[@]}" "$ranks" "${program[@]}" -dm_plex_filename "$mesh" -degree 1 -E 1e6 -nu 0.3 -rho 1000 -material_stiff_E 4e6 \
    -material_soft_prony_g 0.3 -material_soft_prony_tau 0.1 -clamp root -gravity 0,0,-10 -gear_dt 0.01 -vtk_every 0 -csv_every 0 \
    -output results "$@" >log 2>&1
}
program=("$@")
for refined in 0 1; do
  run 2 bar.msh -dm_refine $refined -gear_t_end 0.03 -gear_checkpoint state.h5 -gear_checkpoint_every 3 || fail "no first run: $(cat log)"
  for ranks in 1 2 3; do
    run $ranks bar.msh -dm_refine $refined -gear_t_end 0.05 -gear_restart state.h5 || fail "$ranks ranks: $(cat log)"
    grep -q 'continues from the checkpoint' log || fail "$ranks ranks: $(cat log)"
  done
done
run 2 bar.msh -gear_t_end 0.03 -gear_checkpoint state.h5 -gear_checkpoint_every 3 || fail "no first run: $(cat log)"
run 2 other_tags.msh -gear_t_end 0.05 -gear_restart state.h5 || fail "other node numbers: $(cat log)"

# refused <message> <file> <option...>
refused() {
  local message=$1
  shift
  ranks=$((ranks % 3 + 1))
  run $ranks "$@" -gear_t_end 0.05 -gear_restart state.h5 && fail "$1 continues on $ranks ranks: $(cat log)"
  grep -q "error: .*state.h5.*$message" log || fail "$1 on $ranks ranks: $(cat log)"
}
refused 'the nodes of its mesh have other positions' moved.msh
refused 'the cells or nodes of its mesh are in another order' backwards.msh
refused 'the cells or nodes of its mesh are in another order' exchanged.msh
refused 'its cells are in other regions' swapped.msh
refused 'its cells have other materials' bar.msh -material_stiff_E 4.1e6
refused 'its cells have other materials' bar.msh -nu 0.31
refused 'its cells have other materials' bar.msh -material_soft_prony_tau 0.2
refused 'its cells have other materials' bar.msh -material st_venant_kirchhoff
refused 'the run that wrote it had other options .-gear_family: not given in the checkpoint, esdirk now' bar.msh -gear_family esdirk
# An end before the checkpoint.
run 2 bar.msh -gear_t_end 0.02 -gear_restart state.h5 && fail "the end is before the checkpoint: $(cat log)"
grep -q 'error: option -gear_t_end: the checkpoint continues from t = 0.03, after this end of the run, 0.02' log || fail "$(cat log)"
run 2 bar.msh -gear_t_end 0.03 -gear_restart state.h5 || fail "the end is that of the checkpoint: $(cat log)"
