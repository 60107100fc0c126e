# bash advice.sh <folder> -- command: a run prints advice before it starts if a body locks or solves slowly.
folder=$1
shift 2
body="-dry_run -dm_plex_box_faces 2,1,1 -rho 1 -output $folder"
says() {
  wanted=$1
  shift
  "$@" $body >"$folder.txt" 2>&1 || { cat "$folder.txt"; exit 1; }
  said=$(grep -cE "^(note|warning): .*(lock|alternate|many iterations)" "$folder.txt")
  if [ -z "$wanted" ]; then [ "$said" = 0 ]; else [ "$said" = 1 ] && grep -q "$wanted" "$folder.txt"; fi ||
    { echo "expected '$wanted':"; cat "$folder.txt"; exit 1; }
}
rubber="-material mooney_rivlin -mu1 1 -mu2 0"
says "" "$@" $rubber -bulk 9 -degree 1
says "Poisson's ratio above 0.45 cells of degree 1 lock" "$@" $rubber -bulk 20 -degree 1
says "pressures of neighbouring cells can alternate" "$@" $rubber -bulk 1000 -degree 1 -formulation mixed
says "above 0.495 the displacement formulation needs many iterations" "$@" $rubber -bulk 1000 -degree 2
says "" "$@" $rubber -bulk 1000 -degree 2 -formulation mixed
says "plastic flow preserves the volume" "$@" -material j2 -E 1 -nu 0.3 -yield 0.01 -degree 1
