# bash region_laws.sh <folder> <laws> -- command: a body of each law, with all its parameters, has regions of all
# laws, which inherit only parameters of their own law: all are accepted, and each region has the same stress as
# in a body with this law.
folder=$1
laws=$2
shift 3
fail() { echo "$1"; exit 1; }
rm -rf "$folder"
mkdir -p "$folder"
# Cubes in a row, each a region named after its law, with the faces "low" and "high" at z = 0 and z = 1.
awk -v list="$laws" 'BEGIN { n = split(list, law, ",")
  print "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n" n + 2 "\n2 101 \"low\"\n2 102 \"high\""
  for (r = 1; r <= n; ++r) print "3 " r " \"" law[r] "\""
  print "$EndPhysicalNames\n$Nodes\n" 4 * (n + 1)
  for (i = 0; i <= n; ++i) for (j = 0; j < 2; ++j) for (k = 0; k < 2; ++k) print 4 * i + 2 * j + k + 1, i, j, k
  print "$EndNodes\n$Elements\n" 3 * n
  for (i = 0; i < n; ++i) { a = 4 * i + 1; print 3 * i + 1, 3, 2, 101, 101, a, a + 2, a + 6, a + 4
    print 3 * i + 2, 3, 2, 102, 102, a + 1, a + 5, a + 7, a + 3
    print 3 * i + 3, 5, 2, i + 1, i + 1, a, a + 4, a + 6, a + 2, a + 1, a + 5, a + 7, a + 3 }
  print "$EndElements" }' >"$folder/row.msh"
parameters() { # of a law, with the prefix $2
  local e=" $2E 2.6 $2nu 0.3"
  case $1 in
    j2) echo "$e $2yield 0.5 $2hardening 0.3 $2voce_saturation 0.7 $2voce_rate 7" ;;
    mooney_rivlin) echo "$2mu1 0.7 $2mu2 0.3 $2bulk 3 $2prony_g 0.3 $2prony_tau 1" ;;
    isochoric_mooney_rivlin) echo "$2mu1 0.7 $2mu2 0.3 $2bulk 3 $2volumetric simo" ;;
    yeoh) echo "$2c1 0.5 $2c2 0.1 $2c3 0.2 $2bulk 3 $2volumetric quadratic" ;;
    arruda_boyce) echo "$2mu1 0.6 $2locking_stretch 2.5 $2bulk 3 $2volumetric simo" ;;
    ogden) echo "$2mu1 0.6 $2alpha1 1.3 $2mu2 0.02 $2alpha2 5 $2bulk 3 $2volumetric simo" ;;
    holzapfel) echo "$2mu1 0.5 $2k1 0.4 $2k2 2 $2dispersion 0.1 $2fibre_1 1,0.4,0.2 $2fibre_2 0.3,1,0 $2bulk 3 $2volumetric simo" ;;
    isochoric_neo_hookean) echo "$e $2volumetric quadratic" ;;
    *) echo "$e $2prony_g 0.3 $2prony_tau 1" ;;
  esac
}
regions=""
for law in ${laws//,/ }; do
  # Branches and volumetric functions exist in several laws, so they are always given.
  own=$(parameters $law -material_${law}_)
  case "$own" in *prony_g*) ;; *) [ $law = j2 ] || own="$own -material_${law}_prony_g 0" ;; esac
  case $law in isochoric*|yeoh|ogden|holzapfel|arruda_boyce) [[ $own == *volumetric* ]] || own="$own -material_${law}_volumetric log2" ;; esac
  regions="$regions -material_$law $law $own"
done
for law in ${laws//,/ }; do
  "$@" -dm_plex_filename "$folder/row.msh" -degree 1 -rho 1 -material $law $(parameters $law -) $regions -clamp low \
    -prescribe_high 0.1,0,0.1 -static -vtk_every 0 -output "$folder/$law" -overwrite >"$folder/$law.log" 2>&1 ||
    fail "$law: $(tail -3 "$folder/$law.log")"
  cmp <(cut -d, -f2-7 "$folder/$law/forces.csv" | sed -n 2p | awk -F, '{ for (i = 1; i < 7; ++i) printf "%.8e ", $i }') \
    <(cut -d, -f2-7 "$folder/${laws%%,*}/forces.csv" | sed -n 2p | awk -F, '{ for (i = 1; i < 7; ++i) printf "%.8e ", $i }') ||
    fail "regions in a body of $law have other forces than in one of ${laws%%,*}"
done
# A parameter of one law only is inherited, too.
shared="-dm_plex_filename $folder/row.msh -degree 1 -rho 1 -material neo_hookean $(parameters neo_hookean -) $regions -clamp low
  -prescribe_high 0.1,0,0.1 -static -vtk_every 0 -overwrite"
"$@" ${shared/-material_arruda_boyce_locking_stretch 2.5/} -locking_stretch 2.5 -output "$folder/inherits" >"$folder/inherits.log" 2>&1 ||
  fail "locking_stretch: $(tail -3 "$folder/inherits.log")"
cmp "$folder/inherits/forces.csv" "$folder/neo_hookean/forces.csv" || fail "another locking_stretch"
