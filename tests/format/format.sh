#!/usr/bin/env bash
# Every tracked C and C++ file must be unchanged by clang-format. Exit code 77: skipped.
set -euo pipefail
cd "$1"
command -v clang-format >/dev/null || { echo "skipped: clang-format is not installed"; exit 77; }
git rev-parse --is-inside-work-tree >/dev/null 2>&1 || { echo "skipped: not a git checkout, no list of files"; exit 77; }
mapfile -t files < <(git ls-files '*.hpp' '*.cpp' '*.h' '*.c')
((${#files[@]} > 0)) || { echo "error: no file to check"; exit 1; }
clang-format --dry-run -Werror "${files[@]}"
echo "${#files[@]} files are formatted"
