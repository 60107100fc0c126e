#!/usr/bin/env bash
# Every tracked C and C++ file must be unchanged by clang-format 14; other releases format some lines otherwise. Exit code
# 77: skipped.
set -euo pipefail
cd "$1"
format=$(command -v clang-format-14 || command -v clang-format) || { echo "skipped: clang-format is not installed"; exit 77; }
"$format" --version | grep -q ' version 14\.' || { echo "skipped: not release 14: $("$format" --version)"; exit 77; }
git rev-parse --is-inside-work-tree >/dev/null 2>&1 || { echo "skipped: not a git checkout, no list of files"; exit 77; }
mapfile -t files < <(git ls-files '*.hpp' '*.cpp' '*.h' '*.c')
((${#files[@]} > 0)) || { echo "error: no file to check"; exit 1; }
"$format" --dry-run -Werror "${files[@]}"
echo "${#files[@]} files are formatted"
