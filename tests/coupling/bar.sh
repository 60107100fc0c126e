# Sourced by the other scripts: sets folder, program and launcher from the arguments, defines a bar held at one end, and
# functions that run it coupled to the stand-in for preCICE.
set -euo pipefail
folder=$1 program=$2
shift 2
launch=("$@")
fail() { echo "$1"; exit 1; }
rm -rf "$folder" && mkdir -p "$folder" && cd "$folder"
free=(-dm_plex_box_faces 2,1,1 -dm_plex_box_upper 2,1,1 -degree 1 -E 1e3 -nu 0.3 -rho 100 -gear_t_end 0.8
      -ksp_rtol 1e-12 -snes_rtol 1e-12 -probe_p 2,1,0)
bar=("${free[@]}" -clamp xmin -output_every 0)
coupled=(-precice settings -precice_faces xmax)

settings() { printf '%s\n' "$@" >settings; }
# run NAME OPTION...: its output is in NAME.log, and errors and notes in NAME.err, because mpirun may insert a line of
# one in the middle of a line of the other.
run() {
  local name=$1
  shift
  "${launch[@]}" "$program" "${bar[@]}" -output "$name" "$@" >"$name.log" 2>"$name.err" || fail "$name: $(cat "$name".{err,log})"
}
# Prints the largest difference of the probe's motion at the times of the rows, relative to its largest value.
difference() {
  awk -F, 'FNR == 1 { next } NR == FNR { seen[sprintf("%.9g", $1)] = $0; next }
    { key = sprintf("%.9g", $1); if (!(key in seen)) { missing++; next }
      split(seen[key], a, ","); for (i = 5; i <= 7; i++) { d = $i - a[i]; if (d * d > worst) worst = d * d; if ($i * $i > size) size = $i * $i }; rows++ }
    END { if (!rows || missing) exit 1; print sqrt(worst / size), rows }' "$1/probe_p.csv" "$2/probe_p.csv"
}
below() { awk -v x="$1" -v most="$2" 'BEGIN { exit !(x < most) }'; }
