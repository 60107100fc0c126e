#!/usr/bin/env bash
# The tables of examples/manual/options.md are what programs say to -help: every key, default and text, nothing else.
#
#   bash options.sh [--write] ROOT FOLDER GEARSHIFT_SOLID OSCILLATOR TS_PROGRAM...
#
# ROOT: of the repository. FOLDER: for files in between. OSCILLATOR: any program with a Stepper; its -help has the viewers,
# too. TS_PROGRAM...: a command with a TS of type gear. --write puts the tables into the page instead of comparing.
#
# Further, every key that src reads stands somewhere on the page, and so does every key of the examples' YAML files and of
# gearshift-picture; CMake's options stand on the page of installing.
set -euo pipefail
write=false
[[ $1 == --write ]] && write=true && shift
root=$1 folder=$2 solid=$3 oscillator=$4
shift 4
ts=("$@")
page=$root/examples/manual/options.md
# One with named faces and regions, whose keys stand for those of any name.
mesh=$root/tests/data/two_regions.msh
mkdir -p "$folder"
cd "$folder"

"${ts[@]}" -help 2>/dev/null | grep -oE '^  -ts_gear_[a-z_]+' | sed 's/.*-ts_gear_//' | sort -u >ts_keys
[[ -s ts_keys ]] || { echo "error: the TS type gear has no options"; exit 1; }
"$oscillator" -n 2 -gear_max_steps 0 -help >stepper_help
"$solid" -help -dm_plex_filename "$mesh" >solid_help

# table <title of the -help block, a regular expression> [ts]: its keys as rows.
table() {
  awk -v title="$1" -v with_ts="${2:-}" '
    BEGIN { while (with_ts && (getline key <"ts_keys") > 0) under_ts[key] = 1 }
    /^-----/ { block = ""; next }
    block == "" && /^[^ ].*:$/ { block = $0; next }
    block !~ title || !/^  -/ || /PetscOptionsGetViewer|Draws object/ { next }
    {
      line = $0
      sub(/^  /, "", line); sub(/ *\(\)$/, "", line)
      key = line; sub(/:? <(now|[^ <>]* *:|[^<>]*>).*/, "", key)
      rest = substr(line, length(key) + 1); sub(/^:? /, "", rest)
      default = rest; sub(/>:? .*/, "", default); sub(/^</, "", default); sub(/^now /, "", default)
      sub(/ *:( formerly)? .*/, "", default); sub(/ *:( formerly)?$/, "", default)
      text = substr(rest, index(rest, ">") + 1); sub(/^:? /, "", text)
      # One key for the faces and regions of any name.
      if (match(key, /^-(traction|force|prescribe|pressure|gas|foundation|dashpot)_/)) key = substr(key, 1, RLENGTH) "<face>"
      if (key ~ /^-material_/) { sub(/^-material_[a-z]+/, "-material_<region>", key); sub(/region [a-z]+/, "region", text) }
      if (seen[key]++) next
      # A value that stands for "not given".
      if (key ~ /^-(clamp|fix_|E$|nu$|rho$|mu|bulk|yield|hardening|voce|prony|gas|foundation|gravity|output_dt|output_times|gear_dt$)/ ||
          key ~ /^-material_<region>/ || key ~ /_view$|monitor$|energy$/) default = ""
      if (default == "2147483647" || default == "inf.") default = "unlimited"
      if (default ~ /^[0-9-]+[.]$/) sub(/[.]$/, "", default)
      if (key == "-gear_order") default = "2; 5 where it adapts"
      if (default == "TRUE" || default == "FALSE") default = tolower(default)
      choices = ""
      if (match(text, / *\(choose one of\) .*/)) {
        choices = substr(text, RSTART, RLENGTH); text = substr(text, 1, RSTART - 1)
        sub(/ *\(choose one of\) /, "", choices); gsub(/ /, "`, `", choices); choices = " Choices: `" choices "`."
      }
      gsub(/</, "\\&lt;", text); gsub(/>/, "\\&gt;", text); gsub(/\|/, "\\|", text); gsub(/\*/, "\\*", text)
      if (text !~ /[.]$/) text = text (choices == "" ? "" : ".")
      row = "| `" key "` | " default " | " text choices " |"
      name = key; sub(/^-gear_/, "", name)
      if (with_ts) row = row (name in under_ts ? " yes |" : " |")
      print row
    }' "$3"
}

{
  columns='| key | default | meaning |\n|---|---|---|\n'
  printf '### Model: material, supports, loads\n\n%b' "$columns"
  table '^gearshift-solid: model' '' solid_help
  printf '\n### Run and results\n\n%b' "$columns"
  table '^gearshift-solid: run and results' '' solid_help
  printf '\n### Kernels\n\n%b' "$columns"
  table '^Kernels of the solid' '' solid_help
  printf '\n### Stepper\n\n| key | default | meaning | also `-ts_gear_...` |\n|---|---|---|---|\n'
  table '^Stepper:' ts solid_help
  table '^Viewer .-gear_' ts stepper_help
} >tables

if $write; then
  awk '/^<!-- end of -help -->/ { inside = 0 } !inside { print }
       /^<!-- -help -->/ { inside = 1; print ""; while ((getline line <"tables") > 0) print line; print "" }' "$page" >page
  cp page "$page"
fi
failed=0
awk '/^<!-- end of -help -->/ { inside = 0 } inside { print } /^<!-- -help -->/ { inside = 1 }' "$page" |
  sed '1d;$d' | diff - tables ||
  { echo "error: examples/manual/options.md (<) is not what -help says (>); ninja manual_options mends it"; failed=1; }
(($(grep -c '^| `-' tables) >= 80)) || { echo "error: hardly any option was found in -help"; failed=1; }

# documented <key with its dash> <where it comes from>: the page names it, or what stands for it.
documented() {
  local key=$1
  [[ $key =~ ^-(traction|force|prescribe|pressure|gas|foundation|dashpot)_ ]] && key="-${BASH_REMATCH[1]}_<face>"
  [[ $key =~ ^-material_[a-z]+(_[A-Za-z0-9_]+)?$ ]] && key="-material_<region>${BASH_REMATCH[1]}"
  [[ $key =~ ^-(probe|table)_[a-z]+$ && $key != -probe_fields ]] && key="-${BASH_REMATCH[1]}_<name>"
  grep -qF -- "\`$key\`" "$page" || { echo "error: $key ($2) is not on the page of options"; failed=1; }
}
mapfile -t read_keys < <(find "$root/src" -name '*.cpp' ! -path '*/src/bench/*' -print0 |
  xargs -0 grep -Pzoh '\b(o|options)\.(integer|real|flag|string|strings|reals|choice|viewer)\(\s*"-[A-Za-z_0-9<>]+"' |
  tr '\0' '\n' | grep -oE '"-[^"]+"' | tr -d '"' | sort -u)
((${#read_keys[@]} >= 30)) || { echo "error: hardly any option was found in src"; failed=1; }
for key in "${read_keys[@]}"; do documented "$key" "read in src"; done
# A law of one's own has parameters of its own.
mapfile -t yaml_keys < <(find "$root/examples" -name '*.yaml' ! -path '*/05_own_law/*' -print0 |
  xargs -0 sed -nE 's/^([A-Za-z_0-9]+):.*/\1/p' | sort -u)
((${#yaml_keys[@]} >= 20)) || { echo "error: hardly any key was found in the YAML files"; failed=1; }
for key in "${yaml_keys[@]}"; do documented "-$key" "in a YAML file of the examples"; done
mapfile -t picture_keys < <(grep -oE 'add_argument\("--[a-z]+"' "$root/src/app/gearshift-picture" | grep -oE -- '--[a-z]+')
((${#picture_keys[@]} >= 5)) || { echo "error: hardly any key was found in gearshift-picture"; failed=1; }
for key in "${picture_keys[@]}"; do documented "$key" "of gearshift-picture"; done
# CMake's own stand on the page of installing.
mapfile -t cmake_options < <(cd "$root" && grep -ohE 'option\(GEARSHIFT_[A-Z]+|set\(GEARSHIFT_[A-Z]+ .* CACHE STRING' CMakeLists.txt \
  cmake/*.cmake | grep -oE 'GEARSHIFT_[A-Z]+' | sort -u)
((${#cmake_options[@]} >= 5)) || { echo "error: hardly any option of CMake was found"; failed=1; }
for key in "${cmake_options[@]}"; do
  grep -qF -- "\`$key\`" "$root/examples/manual/start.md" || { echo "error: $key is not on the page start"; failed=1; }
done
((failed)) || echo "$(grep -c '^| `-' tables) options are documented"
exit $failed
