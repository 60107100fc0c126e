#!/usr/bin/env bash
# Runs the commands of a README: every fenced block that begins with ```sh (indented or not), in order, from the repository's root.
#
#   bash run.sh README.md [BUILD [MODULE...]]
#
# BUILD: the build folder to use wherever the text says build/release or build/ci.
# MODULE: the modules that Debian's python3 has, of those that blocks ask for.
# A block with a line "# (not run by the tests: why)" is left out, and one with "# (run by the tests where python3 has
# MODULE)" without that module. The first command that fails ends the run.
set -euo pipefail
readme=$(realpath "$1")
build=${2:-build/release}
modules=" ${*:3} "
cd "$(dirname "$readme")"
until [[ -f CMakePresets.json ]]; do cd ..; done
script=$(mktemp)
trap 'rm -f "$script"' EXIT
awk -v modules="$modules" '/^[ \t]*```sh[ \t]*$/ { inside = 1; text = ""; skip = 0; next }
     /^[ \t]*```/ && inside { inside = 0; if (!skip) printf "%s", text; next }
     inside { if (/^[ \t]*# \(not run by the tests:/) skip = 1
              if (match($0, /# \(run by the tests where python3 has [a-z0-9]+\)/)) {
                module = substr($0, RSTART, RLENGTH - 1); sub(/.* /, "", module)
                if (!index(modules, " " module " ")) skip = 1
              }
              text = text $0 "\n" }' "$readme" |
  sed -E "s#build/(release|ci)#$build#g" >"$script"
[[ -s $script ]] || { echo "error: $readme holds no command to run"; exit 1; }
bash -euxo pipefail "$script"
