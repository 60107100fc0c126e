#!/usr/bin/env bash
# bash names.sh <folder> <mesh> -- command...: for every option of -help that contains a name, two names that lead to
# this option are refused. The mesh is two_regions.msh; of each kind two names differ only in case, or one is the other
# plus the ending of an option.
set -euo pipefail
folder=$1 mesh=$2
shift 3
rm -rf "$folder"
mkdir -p "$folder"
sed 's/"left"/"Right"/; s/"soft"/"Stiff"/' "$mesh" >"$folder/case.msh"
sed 's/"left"/"right_follow"/; s/"soft"/"stiff_prony_g"/' "$mesh" >"$folder/ending.msh"
printf '0,0\n1,1\n' >"$folder/table.csv"
refused() { # <message> <arguments>...
  local message=$1 output
  shift
  if output=$("${command[@]}" "$@" 2>&1); then echo "$*: accepted"; exit 1; fi
  grep -q -- "$message" <<<"$output" || { echo "$*: no message '$message' in"; echo "$output"; exit 1; }
}
command=("$@" -E 1e6 -nu 0.3 -rho 1000 -degree 1 -gear_dt 0.01 -gear_t_end 0.02 -output "$folder/out")
keys=$("$1" -help | grep -o -- '^  -[a-z_]*<[a-z]*>[_a-z<>]*')
for pattern in face region probe name; do
  grep -q "<$pattern>" <<<"$keys" || { echo "-help has no key with <$pattern>"; exit 1; }
done
for key in $keys; do
  case $key in
    *"<face>"*)
      key=${key/<face>/right}
      refused "option $key: the mesh has the faces .*PETSc ignores the case.*rename" -dm_plex_filename "$folder/case.msh" "$key" 1 ;;
    *"<region>"*)
      for modulus in E prony_tau; do
        given=${key/<region>/stiff} given=${given/<modulus>/$modulus}
        refused "option $given: the mesh has the regions .*PETSc ignores the case.*rename" -dm_plex_filename "$folder/case.msh" "$given" 1
      done ;;
    *"<probe>"*)
      [[ $key != -probe* ]] || continue # a text about -probe_<name>
      value=1
      [[ $key != *force* ]] || value=1,0,0
      refused "option ${key/<probe>/.*}: there is a face 'right' and a probe 'Right'; give the probe another name" \
        -dm_plex_filename "$mesh" -probe_Right 0,0,0 "${key/<probe>/right}" $value ;;
    *"<name>"*)
      value=1,1,1
      [[ $key != *table* ]] || value=$folder/table.csv
      refused "options ${key/<name>/b} and ${key/<name>/B}: these are the same option" -dm_plex_filename "$mesh" "${key/<name>/b}" "$value" \
        "${key/<name>/B}" "$value" ;;
  esac
done
for given in -pressure_right_follow=false -pressure_Right_FOLLOW=1; do
  refused "option ${given%=*}: the mesh has the faces 'right.*' and 'right.*', and the option could refer to either" \
    -dm_plex_filename "$folder/ending.msh" "${given%=*}" "${given#*=}"
done
for given in -material_stiff_prony_g=0.1 -material_stiff_prony_g=neo_hookean; do
  refused "option ${given%=*}: the mesh has the regions 'stiff.*' and 'stiff.*', and the option could refer to either" \
    -dm_plex_filename "$folder/ending.msh" "${given%=*}" "${given#*=}"
done
"${command[@]}" -dm_plex_filename "$folder/ending.msh" -material_stiff neo_hookean -material_stiff_prony_g_E 1e5 -traction_right 1,0,0 \
  -clamp right_follow
