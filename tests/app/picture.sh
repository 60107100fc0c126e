# bash picture.sh <gearshift-picture> <folder> -- command: draws a beam, and tests the messages for pictures that cannot be drawn.
draw=$1 folder=$2
shift 3
fail() { echo "$1"; exit 1; }
rm -rf "$folder"
"$draw" --help >/dev/null
[ $? -ne 77 ] || exit 77
"$@" -dm_plex_box_faces 4,1,1 -dm_plex_box_upper 12,1,1 -E 1e5 -nu 0.3 -rho 1 -clamp xmin -gravity 0,0,-10 -gear_dt 0.01 \
  -gear_t_end 0.02 -vtk_every 1 -units mm,t,s -output "$folder" || fail "exit code $?"
is_png() { [ "$(head -c 4 "$1" | tail -c 3)" = PNG ] || fail "$1 is not a picture"; }
# Without the modules of Debian's Python, gnuplot draws the picture.
if command -v gnuplot >/dev/null; then
  bare() { /usr/bin/python3 -S "$draw" "$folder" "$@"; }
  bare --time greatest --outline --unit Pa --output "$folder/plain.png" || fail "no picture by gnuplot"
  is_png "$folder/plain.png"
  bare --time 0 --output "$folder/start.png" || fail "no picture of the start by gnuplot"
  cmp -s "$folder/plain.png" "$folder/start.png" && fail "two unlike pictures by gnuplot are equal"
  bare --edges --output "$folder/plain_edges.png" || fail "no picture with edges by gnuplot"
  # The commands that gnuplot gets: the legend has the full name of the field and its unit.
  mkdir -p "$folder/recorder"
  printf '#!/bin/sh\ntee "%s" | %s\n' "$folder/commands" "$(command -v gnuplot)" >"$folder/recorder/gnuplot"
  chmod +x "$folder/recorder/gnuplot"
  PATH=$folder/recorder:$PATH bare || fail "no recorded picture by gnuplot"
  cmp -s "$folder/plain_edges.png" "$folder/picture.png" && fail "gnuplot draws no edges"
  grep -qF 'set cblabel "von Mises stress [MPa]"' "$folder/commands" || fail "legend by gnuplot: $(grep cblabel "$folder/commands")"
  PATH=$folder/recorder:$PATH bare --unit bar --field displacement || fail "no recorded picture by gnuplot"
  grep -qF 'set cblabel "displacement, magnitude [bar]"' "$folder/commands" || fail "legend by gnuplot: $(grep cblabel "$folder/commands")"
  bare --movie 2>&1 | grep -q "a movie needs VTK" || fail "a movie by gnuplot?"
  bare --field cauchy 2>&1 | grep -q "has no field 'cauchy', but displacement, velocity, von_mises" || fail "a field that is not there"
fi
/usr/bin/python3 -c "import vtkmodules, matplotlib" 2>/dev/null || exit 0
"$draw" "$folder" --time greatest --outline --unit Pa --output "$folder/greatest.png" || fail "no greatest deflection"
is_png "$folder/greatest.png"
"$draw" "$folder" --time greatest --outline --unit Pa --edges --output "$folder/edges.png" || fail "no picture with edges"
cmp -s "$folder/greatest.png" "$folder/edges.png" && fail "the edges of the cells are not drawn"
# texts FIELD: the texts in the picture of this field; matplotlib repeats them in the comments of an SVG file.
texts() {
  "$draw" "$folder" --field "$1" "${@:2}" --output "$folder/texts.svg" >/dev/null || fail "no picture of $1"
  sed -n 's/^ *<!-- \(.*\) -->$/\1/p' "$folder/texts.svg"
}
has() { grep -qE "$1" <<<"$2" || fail "the picture has no text '$1', but: $2"; }
shown=$(texts von_mises)
has '^von Mises stress \[MPa\]$' "$shown"
has '^● maximum von Mises stress on the surface: [0-9.e-]* MPa$' "$shown"
shown=$(texts velocity --unit km/h)
has '^velocity, magnitude \[km/h\]$' "$shown"
has 'maximum velocity on the surface(, hidden)?: [0-9.e-]* km/h$' "$shown"
mv "$folder/summary.json" "$folder/kept.json"
shown=$(texts von_mises)
has '^von_mises$' "$shown"  # a run that has not ended
mv "$folder/kept.json" "$folder/summary.json"
"$draw" "$folder" --movie || fail "no picture"
is_png "$folder/picture.png"
[ "$(head -c 3 "$folder/movie.gif")" = GIF ] || fail "movie.gif is not a GIF"
"$draw" "$folder" --field displacement --time 0.01 --view -90 10 --output "$folder/other.png" || fail "no other picture"
cmp -s "$folder/picture.png" "$folder/other.png" && fail "two unlike pictures are equal"
refuse() {
  local words=$1
  shift
  "$draw" "$@" 2>"$folder/words"
  [ $? -eq 1 ] || fail "exit code of $*"
  grep -q "$words" "$folder/words" || fail "$(cat "$folder/words")"
}
refuse "has no field 'cauchy', but displacement, velocity, von_mises" "$folder" --field cauchy
refuse "nothing/solution.pvd cannot be read: No such file or directory; give .*-output_every" "$folder/nothing"
refuse "neither a number nor greatest" "$folder" --time last
refuse "^error: .*nothing/picture.png cannot be written: No such file" "$folder" --output "$folder/nothing/picture.png"
# Frames in the other format must give the same picture.
"$@" -dm_plex_box_faces 4,1,1 -dm_plex_box_upper 12,1,1 -E 1e5 -nu 0.3 -rho 1 -clamp xmin -gravity 0,0,-10 -gear_dt 0.01 \
  -gear_t_end 0.02 -output_every 1 -output_format vtkhdf -units mm,t,s -fields displacement,velocity,von_mises,quality -envelope displacement -output "$folder/hdf" || fail "exit code $?"
"$draw" "$folder/hdf" --movie || fail "no picture of VTKHDF"
cmp "$folder/picture.png" "$folder/hdf/picture.png" || fail "another picture of VTKHDF"
cmp "$folder/movie.gif" "$folder/hdf/movie.gif" || fail "another movie of VTKHDF"
"$draw" "$folder/hdf" --field quality --output "$folder/quality.png" || fail "no picture of a field of cells"
cmp -s "$folder/hdf/picture.png" "$folder/quality.png" && fail "the picture of the cells' quality is that of von Mises stress"
"$draw" "$folder/hdf" --envelope --output "$folder/envelope.png" || fail "no picture of the envelope"
cmp -s "$folder/hdf/picture.png" "$folder/envelope.png" && fail "the picture of the envelope is that of the last frame"
refuse "has no field 'displacement', but displacement_max, displacement_time; see -envelope" "$folder/hdf" --envelope --field displacement
refuse "has no envelope; run gearshift-solid with -envelope" "$folder" --envelope
# Load steps are not times; of natural modes the first one is drawn, and the movie animates it.
"$@" -dm_plex_box_faces 4,1,1 -dm_plex_box_upper 12,1,1 -degree 1 -E 1e5 -nu 0.3 -rho 1 -clamp xmin -gravity 0,0,-10 \
  -static -vtk_every 1 -output "$folder/static" || fail "exit code $?"
"$draw" "$folder/static" --output "$folder/load.svg" || fail "no picture of a load step"
cp -r "$folder/static" "$folder/shapes" && mv "$folder/shapes/solution.pvd" "$folder/shapes/modes.pvd"
"$draw" "$folder/shapes" --movie --time 1 || fail "no picture of modes"
[ "$(head -c 3 "$folder/shapes/movie.gif")" = GIF ] || fail "movie.gif of a mode is not a GIF"
cmp -s "$folder/shapes/movie.gif" "$folder/movie.gif" && fail "the movie of a mode is that of the motion"
grep -q "load 1" "$folder/load.svg" || fail "a load step is called a time"
rm "$folder/hdf/solution/000002.vtkhdf"
refuse "000002.vtkhdf cannot be read: there is no such file" "$folder/hdf"
exit 0
