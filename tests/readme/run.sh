#!/usr/bin/env bash
# Runs the commands of a README: every fenced block that begins with ```sh (indented or not), in order,
# from the repository's root.
#
#   bash run.sh README.md [BUILD [WORD...]]
#
# BUILD: the build folder to use wherever the text says build/release or build/ci.
# WORD: modules that Debian's python3 has, and installed programs, among those that blocks ask for.
# A block below "<!-- not run by the tests: why -->" is left out; one below "<!-- run by the tests if python3 has WORD
# -->" or "<!-- run by the tests if there is WORD -->" is left out without that word; "WORD and WORD" requires both. The
# first command that fails ends the run. If no block was left out for a missing word, the commands must print each last
# line that the text quotes: `done: ...` in a sentence, or a line of an indented or fenced block, up to its first comma.
set -euo pipefail
readme=$(realpath "$1")
build=${2:-build/release}
words=" ${*:3} "
cd "$(dirname "$readme")"
until [[ -f CMakePresets.json ]]; do cd ..; done
script=$(mktemp)
output=$(mktemp)
trap 'rm -f "$script" "$output"' EXIT
awk -v words="$words" '/^[ \t]*<!-- not run by the tests: / { skip = 1; next }
     match($0, /<!-- run by the tests if (python3 has|there is) [a-z0-9 ]+ -->/) {
       asked = substr($0, RSTART, RLENGTH - 4); sub(/.* (has|is) /, "", asked); sub(/ *$/, "", asked)
       count = split(asked, each, " and ")
       for (i = 1; i <= count; ++i) if (!index(words, " " each[i] " ")) skip = lacking = 1
       next
     }
     /^[ \t]*```sh[ \t]*$/ { inside = 1; text = ""; next }
     /^[ \t]*```/ && inside { inside = 0; if (!skip) printf "%s", text; skip = 0; next }
     inside { text = text $0 "\n" }
     END { if (lacking) print "# A block lacks a word." }' "$readme" |
  sed -E "s#build/(release|ci)#$build#g" >"$script"
[[ -s $script ]] || { echo "error: $readme holds no command to run"; exit 1; }
bash -euxo pipefail "$script" 2>&1 | tee "$output"
grep -q '^# A block lacks' "$script" && exit
while IFS= read -r quote; do
  grep -qF -- "$quote" "$output" || { echo "error: $readme quotes a last line that no command printed: $quote"; exit 1; }
done < <(grep -Eo '`done: [^`]*|^ *done: [^,]*' "$readme" | sed -E 's/^[ `]*//')
