#!/usr/bin/env bash
# bash full_disk.sh <format> -- gearshift-solid command...: run by small_disk.sh; a run whose disk becomes full
# ends with the reason or, if requested, continues without the output that does not fit; in both cases the
# files on disk are complete.
set -uo pipefail
format=$1
shift 2
source "$(dirname "$0")/../output_of.sh"
disk=$GEARSHIFT_SMALL_DISK
fail() { echo "full_disk: $*"; exit 1; }

whole() {
  local out=$1 file
  [[ -z $(find "$out" -name '*.part') ]] || fail "parts stayed: $(find "$out" -name '*.part')"
  for file in "$out"/*.csv; do
    [[ -z $(tail -c 1 "$file") ]] || fail "the last row of $file is torn"
    awk -F, -v file="$file" 'NR == 1 { n = NF } NF != n { print file, "has a torn row"; exit 1 }' "$file" || exit 1
  done
  if [[ $format == vtkhdf ]]; then
    [[ $(tail -1 "$out/solution.vtkhdf.series") == "}" ]] || fail "solution.vtkhdf.series is not whole"
    for file in $(sed -n 's/.*"name": "\([^"]*\)".*/\1/p' "$out/solution.vtkhdf.series"); do
      [[ $(head -c 4 "$out/$file" | tail -c 3) == HDF ]] || fail "$file is not an HDF5 file"
      cmp -s -n 2000 "$out/solution/000000.vtkhdf" "$out/$file" || fail "$file has another layout than the first frame"
      [[ $(stat -c %s "$out/$file") == $(stat -c %s "$out/solution/000000.vtkhdf") ]] || fail "$file is not whole"
    done
    return
  fi
  grep -q "</VTKFile>" "$out/solution.pvd" || fail "solution.pvd is not whole"
  for file in $(sed -n 's/.*file="\([^"]*\)".*/\1/p' "$out/solution.pvd"); do
    tail -c 20 "$out/$file" | grep -q "</VTKFile>" || fail "$file is not whole"
    for piece in $(sed -n 's/.*Piece Source="\([^"]*\)".*/\1/p' "$out/$file"); do
      tail -c 20 "$out/solution/$piece" | grep -q "</VTKFile>" || fail "$piece is not whole"
    done
  done
}

output_of "$@" -vtk_every 1 -output_format "$format" -output "$disk/out"
printf '%s\n' "$output"
[[ $ended == 1 ]] || fail "exit code $ended, wanted 1"
[[ $(grep -c "^error: .*the disk is full" <<<"$output") == 1 ]] || fail "the reason is not printed exactly once"
! grep -q "^done" <<<"$output" || fail "it says done"
whole "$disk/out"

output_of "$@" -vtk_every 1 -output_format "$format" -output "$disk/out" -overwrite -on_write_error continue
printf '%s\n' "$output"
[[ $ended == 0 ]] || fail "exit code $ended, wanted 0"
grep -q "^warning: .*the disk is full.*continues without" <<<"$output" || fail "no warning"
grep -q "^done" <<<"$output" || fail "it does not say done"
whole "$disk/out"
