#!/usr/bin/env bash
# Dependencies between layers are one-way: checks which files may include which.
set -euo pipefail
cd "$1"
failed=0

# forbid <meaning> <extended regex> <path>...: no line of these files may match.
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

# Layer $1 must not include a gearshift header (in either form of include) of the layers $2.
no_layer() { forbid "$1 includes $2" "#include [<\"](gearshift/)?($2)/" "include/gearshift/$1" "src/$1"; }

no_layer bdf 'petsc|dynamics|ts|expression|solid|io|app'
forbid "bdf includes PETSc or MPI" '#include [<"](petsc|mpi)' include/gearshift/bdf src/bdf
no_layer petsc 'bdf|dynamics|ts|expression|solid|io|app'
no_layer expression 'bdf|dynamics|ts|solid|io|app'
forbid "expression includes more of petsc than its errors and its rule of near names" '#include ("petsc/(options/[^n]|[^o])|<gearshift/petsc/([^e]|e[^r]))' \
  include/gearshift/expression src/expression
no_layer dynamics 'ts|expression|solid|io|app'
# The folders of dynamics: run -> control -> methods -> newton -> linear -> equations; run -> checkpoint.
no_room() { forbid "dynamics/$1 includes dynamics/$2" "#include \"dynamics/($2)/" "src/dynamics/$1"; }
no_room equations 'linear|newton|methods|control|checkpoint|run'
no_room linear 'newton|methods|control|checkpoint|run'
no_room newton 'methods|control|checkpoint|run'
no_room methods 'control|checkpoint|run'
no_room control 'checkpoint|run'
no_room checkpoint 'equations|linear|newton|methods|control|run'
# The folders of the program: run -> analyses -> case -> results, coupling.
no_app_room() { forbid "app/$1 includes app/$2" "#include \"app/(($2)/|[a-z_]+\\.hpp)" "src/app/$1"; }
no_app_room results 'case|analyses|coupling'
no_app_room coupling 'case|analyses|results'
no_app_room case analyses
no_app_room analyses none
# The folders of the solid: recovery -> body -> multigrid -> terms -> operator -> kernels -> material -> constraints ->
# space -> mesh -> element -> numerics. Files outside of these folders, and public headers, belong to the folder whose
# interface they are; kernels include neither spaces nor meshes.
declare -A faces=([element]='basis|element' [mesh]=mesh [space]='space|rank_cells|node_exchange|material_point' [material]='material|law|compiled_law|point_field'
  [operator]='formulation|kernel_options|point_state' [terms]=expression [body]='body|memory_estimate'
  [recovery]='node_places|stress|stress_recovery' [modes]='modes|frequency_response')
# no_solid_room <folder> <folders>: the folder and its public headers must not include any of the folders.
no_solid_room() {
  local room=$1 rooms=$2 public='' known face paths=("src/solid/$1")
  for known in "${!faces[@]}"; do
    [[ $known =~ ^($rooms)$ ]] && public+="${public:+|}${faces[$known]}"
  done
  for face in $(tr '|' ' ' <<<"${faces[$room]-}"); do paths+=("include/gearshift/solid/$face.hpp"); done
  forbid "solid/$room includes solid/$rooms" \
    "#include (\"solid/(($rooms)/|[a-z_]+\\.hpp)|[<\"]gearshift/solid/($public)\\.hpp)" "${paths[@]}"
}
no_solid_room numerics 'element|mesh|space|constraints|material|kernels|operator|terms|multigrid|body|recovery'
no_solid_room element 'mesh|space|constraints|material|kernels|operator|terms|multigrid|body|recovery'
no_solid_room mesh 'space|constraints|material|kernels|operator|terms|multigrid|body|recovery'
no_solid_room space 'constraints|material|kernels|operator|terms|multigrid|body|recovery'
no_solid_room constraints 'material|kernels|operator|terms|multigrid|body|recovery'
no_solid_room material 'kernels|operator|terms|multigrid|body|recovery'
no_solid_room kernels 'element|mesh|space|constraints|operator|terms|multigrid|body|recovery'
no_solid_room operator 'terms|multigrid|body|recovery'
no_solid_room terms 'multigrid|body|recovery'
no_solid_room multigrid 'body|recovery'
no_solid_room body 'recovery|modes'
no_solid_room recovery modes
no_solid_room modes recovery
# The folders of the kernels: loops -> sweeps -> points; laws -> points.
no_kernel_room() { forbid "kernels/$1 includes kernels/$2" "#include \"solid/kernels/($2)/" "src/solid/kernels/$1"; }
no_kernel_room points 'sweeps|loops|laws'
no_kernel_room sweeps 'loops|laws'
no_kernel_room loops laws
no_kernel_room laws 'sweeps|loops'
# The folders of the operator: operator -> term -> matrices -> exchange.
no_operator_room() { forbid "operator/$1 includes operator/$2" "#include \"solid/operator/(($2)/|[a-z_]+\\.hpp)" "src/solid/operator/$1"; }
no_operator_room exchange 'matrices|term'
no_operator_room matrices term
no_operator_room term none
for room in src/solid/*/; do
  room=$(basename "$room")
  [[ $room =~ ^(numerics|element|mesh|space|constraints|material|kernels|operator|terms|multigrid|body|recovery|modes)$ ]] ||
    { echo "error: src/solid/$room is not a folder known to layers.sh"; failed=1; }
done
# A law is named only in its own file and in the list; other files query its properties (law_description.hpp).
laws=$(sed -n 's/^  law(\([a-z0-9_]*\),.*/\1/p' include/gearshift/solid/law_list.hpp | paste -sd '|')
[[ $laws == *'|'* ]] || { echo "error: no laws in law_list.hpp"; failed=1; }
mapfile -t others < <(find src/app src/solid -name '*.?pp' ! -path 'src/solid/material/laws/*' \
  ! -name batch_arrays.cpp ! -name region_damping.cpp)
forbid "a law by its name" "Law::($laws)([^a-z0-9_]|$)" "${others[@]}"
# Each file has one topic.
long=$(find {src,include/gearshift}/{dynamics,expression,solid} -type f -exec awk \
  'FNR == 301 {print FILENAME " has more than 300 lines"}' {} +)
[[ -z $long ]] || { printf 'error: part by subject what is too long\n%s\n' "$long"; failed=1; }
# A folder is small enough to be read as a whole.
while read -r folder; do
  mapfile -t within < <(find "$folder" -maxdepth 1 -name '*.?pp')
  ((${#within[@]} == 0)) && continue
  lines=$(cat "${within[@]}" | wc -l)
  ((${#within[@]} <= 30 && lines <= 3000)) ||
    { echo "error: divide $folder: ${#within[@]} files and $lines lines, more than 30 or 3000"; failed=1; }
done < <(find src include -type d)
for layer in bdf petsc expression dynamics solid io app; do
  paths=("src/$layer")
  [[ -d include/gearshift/$layer ]] && paths+=("include/gearshift/$layer")
  forbid "a private PETSc header outside of src/ts" '#include <petsc/private' "${paths[@]}"
done
mapfile -t sources < <(find src -name '*.?pp' ! -path src/petsc/session.cpp ! -path 'src/app/*')
((${#sources[@]} > 0)) || { echo "error: no source to check"; exit 1; }
forbid "PETSC_COMM_WORLD in src (use the object's communicator)" '^[^/]*PETSC_COMM_WORLD' "${sources[@]}"
exit $failed
