#!/usr/bin/env bash
# Runs the commands of a README: every fenced block that begins with ```sh (indented or not), in order, from the repository's root.
#
#   bash run.sh README.md [BUILD]
#
# BUILD: the build folder to use wherever the text says build/release or build/ci.
# A block with a line "# (not run by the tests: why)" is left out. The first command that fails ends the run.
set -euo pipefail
readme=$(realpath "$1")
build=${2:-build/release}
cd "$(dirname "$readme")"
script=$(mktemp)
trap 'rm -f "$script"' EXIT
awk '/^[ \t]*```sh[ \t]*$/ { inside = 1; text = ""; skip = 0; next }
     /^[ \t]*```/ && inside { inside = 0; if (!skip) printf "%s", text; next }
     inside { if (/^[ \t]*# \(not run by the tests:/) skip = 1; text = text $0 "\n" }' "$readme" |
  sed -E "s#build/(release|ci)#$build#g" >"$script"
[[ -s $script ]] || { echo "error: $readme holds no command to run"; exit 1; }
bash -euxo pipefail "$script"
