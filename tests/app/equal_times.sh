# bash equal_times.sh <folder> -- command: frames at equal times change no step and agree with the motion, and an
# interrupted run continues with the same bytes.
folder=$1
shift 2
fail() { echo "$1"; exit 1; }
rm -rf "$folder"
mkdir -p "$folder"
beam="-dm_plex_box_faces 3,1,1 -dm_plex_box_upper 3,1,1 -E 1e5 -nu 0.3 -rho 1000 -clamp xmin -gravity 0,0,-10 -probe_tip 3,0.5,0.5
  -prony_g 0.3 -prony_tau 0.05 -gear_adapt order -gear_t_end 0.2 -gear_max_steps 400"
frames="-output_dt 0.03 -output_times 0.1,0.051,0.06 -fields displacement,acceleration,von_mises,energy_density"
times() { sed -n 's/.*timestep="\([^"]*\)".*/\1/p' "$1" | tr '\n' ' '; }
"$@" $beam -vtk_every 0 -output "$folder/none" || fail "exit code $?"
"$@" $beam $frames -output "$folder/equal" || fail "exit code $?"
[ "$(times "$folder/equal/solution.pvd")" = "0 0.029999999999999999 0.050999999999999997 0.059999999999999998 0.089999999999999997 0.10000000000000001 0.12 0.14999999999999999 0.17999999999999999 0.20000000000000001 " ] ||
  fail "$(times "$folder/equal/solution.pvd")"
for file in probe_tip.csv energy.csv forces.csv momentum.csv; do
  cmp "$folder/none/$file" "$folder/equal/$file" || fail "$file differs"
done
[ "$(cut -d, -f1-8 "$folder/none/steps.csv")" = "$(cut -d, -f1-8 "$folder/equal/steps.csv")" ] || fail "other steps"

# Prints the maximum of a field in the frame with that number, over the pieces of all ranks.
greatest() {
  local piece start offset bytes
  for piece in "$2"/solution/$(printf %06d "$3")*.vtu; do
    offset=$(grep -a "Name=\"$1\"" "$piece" | sed 's/.*offset="\([0-9]*\)".*/\1/')
    start=$(($(grep -abo '<AppendedData encoding="raw">' "$piece" | cut -d: -f1) + 31 + offset))
    bytes=$(od -A n -t u8 -j "$start" -N 8 "$piece")
    od -A n -v -w8 -t f8 -j $((start + 8)) -N "$bytes" "$piece"
  done | sort -g | tail -1
}
# Values inside steps are as accurate as at their ends: 0.051 is the end of a step only in the fine run. In the coarse
# run 0.05 is one, and fields requested there are accurate, too.
fixed="-gear_order 4 -gear_adapt none -gear_t_end 0.06 -fields von_mises,energy_density -ksp_rtol 1e-8"
"$@" $beam $fixed -gear_dt 0.01 -output_times 0.051 -output_every 5 -output "$folder/coarse" || fail "exit code $?"
"$@" $beam $fixed -gear_dt 0.003 -vtk_every 0 -output_times 0.051 -output "$folder/fine" || fail "exit code $?"
[ "$(times "$folder/coarse/solution.pvd")" = "0 0.050000000000000003 0.050999999999999997 0.059999999999999998 " ] ||
  fail "$(times "$folder/coarse/solution.pvd")"
for field in von_mises energy_density; do
  awk -v coarse="$(greatest $field "$folder/coarse" 2)" -v fine="$(greatest $field "$folder/fine" 0)" \
    -v step="$(greatest $field "$folder/coarse" 1)" 'function off(a, b) { return a > b ? a - b : b - a }
    BEGIN { print step, coarse, fine; exit !(off(coarse, fine) < 2e-3 * fine && off(step, fine) > 4 * off(coarse, fine)) }' || fail "$field"
done

# Stopped in the middle, and restarted.
go="-gear_checkpoint $folder/state.h5 -gear_restart $folder/state.h5 -output $folder/stopped"
steps=$(($(wc -l <"$folder/none/steps.csv") - 1))
"$@" $beam $frames $go -gear_max_steps $((steps * 2 / 3)) -gear_checkpoint_every $((steps * 2 / 3))
[ $? -eq 2 ] || fail "it was not stopped"
"$@" $beam $frames $go || fail "exit code $?"
cmp "$folder/equal/solution.pvd" "$folder/stopped/solution.pvd" || fail "other series"
[ "$(cd "$folder/equal/solution" && ls)" = "$(cd "$folder/stopped/solution" && ls)" ] || fail "other files"
for frame in "$folder"/equal/solution/*; do
  cmp "$frame" "$folder/stopped/solution/${frame##*/}" || fail "$frame differs"
done
