#!/usr/bin/env bash
# The tables of examples/manual/options.md must equal the output of gearshift-solid -help: every option, default and
# text under its heading, nothing else.
#
#   bash options.sh [--write] ROOT FOLDER GEARSHIFT_SOLID TS_PROGRAM...
#
# ROOT: of the repository. FOLDER: for temporary files, separate for each run. TS_PROGRAM...: a command with a TS of
# type gear, whose -help shows which of the options it has. --write writes the tables to the page instead of comparing.
#
# In addition, the page must contain every option that src reads, every option of the examples' YAML files and of
# gearshift-picture; CMake's options must be on the installation page.
set -euo pipefail
write=false
[[ $1 == --write ]] && write=true && shift
root=$1 folder=$2 solid=$3
shift 3
ts=("$@")
page=$root/examples/manual/options.md
mkdir -p "$folder"
work=$(mktemp -d "$folder/run.XXXXXX")
trap 'rm -rf "$work"' EXIT
cd "$work"

"${ts[@]}" -help >ts_help 2>ts_errors || { echo "error: ${ts[*]} -help fails: $(cat ts_errors)"; exit 1; }
grep -oE '^  -ts_gear_[a-z_]+' ts_help | sed 's/.*-ts_gear_//' | sort -u >ts_keys
[[ -s ts_keys ]] || { echo "error: the TS type gear has no options"; exit 1; }
"$solid" -help >help

awk '
  function plain(text) { gsub(/</, "\\&lt;", text); gsub(/>/, "\\&gt;", text); gsub(/[|]/, "\\|", text); gsub(/[*]/, "\\*", text); return text }
  function row() {
    if (key == "") return
    name = key; sub(/^-gear_/, "", name)
    print "| `" key "`" (kind == "" ? "" : " " plain(kind)) " | " default " | " plain(text) " | " (key ~ /^-gear_/ && name in under_ts ? "yes" : "") " |"
    key = ""
  }
  BEGIN { while ((getline name <"ts_keys") > 0) under_ts[name] = 1 }
  /^$/ { row(); blank = 1; next }
  blank && /^[A-Z]/ { heading = $0; printf "%s### %s\n\n| key | default | meaning | also `-ts_gear_...` |\n|---|---|---|---|\n", tables++ ? "\n" : "", heading; blank = 0; next }
  { blank = 0 }
  heading == "" { next }
  /^  -/ {
    row()
    line = substr($0, 3); default = ""
    if (match(line, /  [(]default .*[)]$/)) { default = substr(line, RSTART + 11, RLENGTH - 12); line = substr(line, 1, RSTART - 1) }
    key = line; sub(/ .*/, "", key); kind = substr(line, length(key) + 2); text = ""
    next
  }
  /^      / { text = text (text == "" ? "" : " ") substr($0, 7); next }
  /^-help WORD/ { row(); exit }
' help >tables

if $write; then
  awk '/^<!-- end of -help -->/ { inside = 0 } !inside { print }
       /^<!-- -help -->/ { inside = 1; print ""; while ((getline line <"tables") > 0) print line; print "" }' "$page" >page
  cp page "$page"
fi
failed=0
awk '/^<!-- end of -help -->/ { inside = 0 } inside { print } /^<!-- -help -->/ { inside = 1 }' "$page" |
  sed '1d;$d' | diff - tables ||
  { echo "error: examples/manual/options.md (<) differs from -help (>); ninja manual_options updates it"; failed=1; }
(($(grep -c '^| `-' tables) >= 80)) || { echo "error: hardly any option was found in -help"; failed=1; }

# documented <option with its dash> <its source>: the page must contain it, or its generic form.
documented() {
  local key=$1
  [[ $key =~ ^-(traction|force|torque|follower_force|follower_torque|motor_torque|mass|prescribe|pressure|gas|foundation|dashpot)_ ]] && key="-${BASH_REMATCH[1]}_<face>"
  [[ $key =~ ^-contact_[a-z]+(_[a-z_]+)?$ ]] && key="-contact_<name>${BASH_REMATCH[1]:-}"
  [[ $key =~ ^-material_[a-z]+(_[A-Za-z0-9_]+)?$ ]] && key="-material_<region>${BASH_REMATCH[1]:+_<modulus>}"
  [[ $key =~ ^-(probe|table)_[a-z]+$ && $key != -probe_fields ]] && key="-${BASH_REMATCH[1]}_<name>"
  grep -qF -- "\`$key\`" "$page" || { echo "error: $key ($2) is not on the page of options"; failed=1; }
}
mapfile -t read_keys < <(find "$root/src" -name '*.cpp' ! -path '*/src/bench/*' -print0 |
  xargs -0 grep -Pzoh '\b(o|options)\.(integer|real|flag|string|strings|reals|choice|viewer)\(\s*"-[A-Za-z_0-9<>]+"' |
  tr '\0' '\n' | grep -oE '"-[^"]+"' | tr -d '"' | sort -u)
((${#read_keys[@]} >= 30)) || { echo "error: hardly any option was found in src"; failed=1; }
for key in "${read_keys[@]}"; do documented "$key" "read in src"; done
# A user-defined law has its own parameters.
mapfile -t yaml_keys < <(find "$root/examples" -name '*.yaml' ! -path '*/05_own_law/*' -print0 |
  xargs -0 sed -nE 's/^([A-Za-z_0-9]+):.*/\1/p' | sort -u)
((${#yaml_keys[@]} >= 20)) || { echo "error: hardly any key was found in the YAML files"; failed=1; }
for key in "${yaml_keys[@]}"; do documented "-$key" "in a YAML file of the examples"; done
mapfile -t picture_keys < <(grep -oE 'add_argument\("--[a-z]+"' "$root/src/app/gearshift-picture" | grep -oE -- '--[a-z]+')
((${#picture_keys[@]} >= 5)) || { echo "error: hardly any key was found in gearshift-picture"; failed=1; }
for key in "${picture_keys[@]}"; do documented "$key" "of gearshift-picture"; done
# CMake's options are on the installation page.
mapfile -t cmake_options < <(cd "$root" && grep -ohE 'option\(GEARSHIFT_[A-Z]+|set\(GEARSHIFT_[A-Z]+ .* CACHE STRING' CMakeLists.txt \
  cmake/*.cmake | grep -oE 'GEARSHIFT_[A-Z]+' | sort -u)
((${#cmake_options[@]} >= 5)) || { echo "error: hardly any option of CMake was found"; failed=1; }
for key in "${cmake_options[@]}"; do
  grep -qF -- "\`$key\`" "$root/examples/manual/start.md" || { echo "error: $key is not on the page start"; failed=1; }
done
((failed)) || echo "$(grep -c '^| `-' tables) options are documented"
exit $failed
