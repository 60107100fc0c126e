#!/usr/bin/env bash
# bash commands.sh ROOT PAGE...: each command in a code block of the manual, of README.md and of the examples' pages is
# run by a test, or its block gives a reason. Commands are only in blocks ```sh. PAGE...: the manual's pages whose
# blocks are run; those of the other pages are run if tests/readme/CMakeLists.txt names their folder.
set -euo pipefail
cd "$1"
shift
run=" $* " failed=0 count=0
words='mpirun|mpif90|ctest|cmake|bash|sh|sbatch|srun|gmsh|paraview|gnuplot|ccx|awk|python3|/usr/bin/python3|gearshift-[a-z]+|build/[^ ]+|src/app/[^ ]+'
mapfile -t pages < <(find README.md examples -name '*.md' | sort)
for page in "${pages[@]}"; do
  # Lines of code outside of blocks ```sh that begin with a command; then checks for a block ```sh to be run.
  while IFS= read -r line; do
    echo "error: $page: a command outside of blocks \`\`\`sh: $line"
    failed=1
  done < <(awk '/^[ \t]*```/ { fenced = !fenced; sh = fenced && /```sh[ \t]*$/; next }
                (fenced && !sh) || (!fenced && /^    / && !list) { print }
                !fenced { list = /^[ \t]*[*-] / || (list && /^(  |$)/) }' "$page" | grep -E "^ *($words) +[^=]" || true)
  blocks=$(awk '/^[ \t]*<!-- not run by the tests: / { skip = 1 } /^[ \t]*```sh[ \t]*$/ { inside = 1; next }
                /^[ \t]*```/ && inside { inside = 0; if (!skip) ++n; skip = 0 } END { print n + 0 }' "$page")
  ((count += blocks)) || true
  [[ $blocks == 0 ]] && continue
  case $page in
    README.md) ;;
    examples/manual/*) [[ $run == *" $(basename "$page" .md) "* ]] ;;
    *) grep -qE "(^|[ /(.])$(basename "$(dirname "$page")")([ =)/]|$)" tests/readme/CMakeLists.txt ;;
  esac || { echo "error: $page: no test runs its commands"; failed=1; }
done
((count > 50)) || { echo "error: hardly any command was found"; failed=1; }
((failed)) || echo "$count blocks of commands in ${#pages[@]} pages"
exit $failed
