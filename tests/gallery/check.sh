# bash check.sh <folder> <file>:<column>[@<row>]=<value>~<tolerance> ... -- command: a problem of the gallery, on a
# coarse mesh, has these values in its last rows, or in the rows whose first entry is <row>.
. "$(dirname "$0")/../../examples/gallery/tools.sh"
folder=$1 wanted=()
shift
while [ "$1" != -- ]; do
  wanted+=("$1")
  shift
done
shift
rm -rf "$folder"
"$@" -output "$folder" -vtk_every 0 || { echo "exit code $?"; exit 1; }
[ ${#wanted[@]} -gt 0 ] || exit 1
for one in "${wanted[@]}"; do
  IFS=':@=~' read -r file column key number tolerance <<<"$one"
  [ -n "$tolerance" ] || IFS=':=~' read -r file column number tolerance key <<<"$one"
  found=$(value "$folder/$file" "$column" "$key") || exit 1
  within "$(awk -v a="$found" -v b="$number" 'BEGIN { printf "%.17g", a - b }')" "$tolerance" ||
    { echo "$column of $file is $found and not $number, to $tolerance"; exit 1; }
done
