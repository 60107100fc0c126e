#!/usr/bin/env bash
# The arrows between layers never run back: who may include whom.
set -euo pipefail
cd "$1"
failed=0

# forbid <what it means> <extended regex> <path>...: no line of these files matches.
forbid() {
  local meaning=$1 pattern=$2
  shift 2
  local hits
  hits=$(find "$@" -type f \( -name '*.hpp' -o -name '*.h' -o -name '*.cpp' -o -name '*.c' \) -print0 |
    xargs -0 -r grep -HnE "$pattern" || true)
  if [[ -n $hits ]]; then
    printf 'error: %s\n%s\n' "$meaning" "$hits"
    failed=1
  fi
}

# Layer $1 includes no gearshift header (in either form of include) of the layers $2.
no_layer() { forbid "$1 includes $2" "#include [<\"](gearshift/)?($2)/" "include/gearshift/$1" "src/$1"; }

no_layer bdf 'petsc|dynamics|ts|expression|solid|io|app'
forbid "bdf includes PETSc or MPI" '#include [<"](petsc|mpi)' include/gearshift/bdf src/bdf
no_layer petsc 'bdf|dynamics|ts|expression|solid|io|app'
no_layer expression 'bdf|dynamics|ts|solid|io|app'
no_layer dynamics 'ts|expression|solid|io|app'
# The rooms of dynamics: run -> control -> methods -> newton -> equations.
no_room() { forbid "dynamics/$1 includes dynamics/$2" "#include \"dynamics/($2)/" "src/dynamics/$1"; }
no_room equations 'newton|methods|control|run'
no_room newton 'methods|control|run'
no_room methods 'control|run'
no_room control 'run'
for layer in bdf petsc expression dynamics solid io app; do
  paths=("src/$layer")
  [[ -d include/gearshift/$layer ]] && paths+=("include/gearshift/$layer")
  forbid "a private PETSc header outside of src/ts" '#include <petsc/private' "${paths[@]}"
done
mapfile -t sources < <(find src -name '*.?pp' ! -path src/petsc/session.cpp ! -path 'src/app/*')
((${#sources[@]} > 0)) || { echo "error: no source to check"; exit 1; }
forbid "PETSC_COMM_WORLD in src (use the object's communicator)" '^[^/]*PETSC_COMM_WORLD' "${sources[@]}"
exit $failed
