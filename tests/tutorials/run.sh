#!/usr/bin/env bash
# One set of the table: PETSc's unmodified tutorial with -ts_type gear compared with the same
# program with its peer's type.
#   run.sh [-sample] set libgearshift.so programs folder [mpiexec ...]
# Each run ends at the same time and writes its final solution in PETSc's binary format. The reference is the peer at a
# much tighter tolerance, or as given in the table. The error is the weighted norm of the tolerances, sqrt(mean((x -
# y)^2 / (scale + |y|)^2)), so that a solution as accurate as the tolerance has an error of this size.
# Fails if gear crashes, hangs, stops early, or if its error is above the larger of the peer's and ten tolerances.
# Writes folder/set/result.txt with one line per run: type tolerance error steps solves newton jacobians state. If the
# two types have no common error, the more accurate one also runs at two larger tolerances, for the table of costs.
# -sample: only the middle tolerance.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
sample=
if [ "$1" = -sample ]; then sample=1 && shift; fi
set_name=$1 library=$2 programs=$3 folder=$4/$1
shift 4
launch=("$@")
seconds=${TUTORIALS_SECONDS:-60}

row=$(awk -F' *[|] *' -v name="$set_name" '$1 == name' "$here/table.txt")
[ -n "$row" ] || { echo "no set $set_name in the table" && exit 1; }
field() { cut -d'|' -f"$1" <<<"$row" | xargs; }
program=$(field 2 | tr / _) ranks=$(field 3) peer=$(field 4) scale=$(field 6) end=$(field 7) arguments=$(field 8)
reference=$(field 9)
read -ra tolerances <<<"$(field 5)"
reference_tolerance=${tolerances[3]:-1e-10}
tolerances=("${tolerances[@]:0:3}")
if [ -n "$sample" ]; then tolerances=("${tolerances[1]}"); fi
read -ra arguments <<<"$arguments"

rm -rf "$folder"
mkdir -p "$folder"
for data in "$programs/data/$program"/*; do
  if [ -e "$data" ]; then ln -s "$data" "$folder"; fi
done
cd "$folder"

# Options of the types: TSBDF controls its error by default, second-order types only on request.
options_of() {
  case $1 in
    gear) echo "-dll_append $library -ts_type gear" && if [ "$peer" = alpha2 ]; then echo "-ts_gear_adapt order"; fi ;;
    alpha2) echo "-ts_type alpha2 -ts_adapt_type basic" ;;
    *) echo "-ts_type $1" ;;
  esac
}

numbers() { # prints the entries of a Vec in PETSc's binary file, one per line, after its kind and its size
  local entries
  case $(od -A n -v -t x1 -N 8 "$1" | tr -d ' ') in
    00127b4e*) entries=8 ;;
    0000000000127b4e) entries=16 ;; # indices of 64 bits
    *) echo "$1 holds no Vec" >&2 && return 1 ;;
  esac
  od -A n -v -t f8 --endian=big -w8 -j $entries "$1"
}

# attempt label type tolerance [options]: sets state to ok or to the failure, writes the final
# solution to label.numbers.
attempt() {
  local label=$1 type=$2 tolerance=$3
  shift 3
  local command=() code=0
  if [ "$ranks" != 1 ]; then command=("${launch[@]}" "$ranks"); fi
  local absolute
  absolute=$(awk -v t="$tolerance" -v s="$scale" 'BEGIN { print t * s }')
  # shellcheck disable=SC2207
  command+=("$programs/$program" "${arguments[@]}" $(options_of "$type") -ts_rtol "$tolerance" -ts_atol "$absolute"
    -ts_max_time "$end" -ts_max_steps 10000000 -ts_exact_final_time matchstep -ts_monitor "ascii:$label.steps"
    -ts_view_solution "binary:$label.solution" -log_view ":$label.log" "$@")
  printf '%s\n' "${command[*]}" >"$label.command"
  timeout -k 5 "$seconds" "${command[@]}" >"$label.out" 2>&1 || code=$?
  if [ $code = 124 ] || [ $code = 137 ]; then
    state="not-done-in-${seconds}s"
  elif [ $code != 0 ]; then
    state="exit-code-$code"
  else
    state=$(awk -v end="$end" '$2 == "TS" && $3 == "dt" { t = $6 } END { d = t - end; if (d < 0) d = -d
      print (d <= 1e-5 * end ? "ok" : "ended-at-" t) }' "$label.steps")
  fi
  if [ -s "$label.solution" ]; then numbers "$label.solution" >"$label.numbers"; else rm -f "$label.numbers"; fi
  rm -f "$label.solution" "$label.solution.info"
}

error_of() {
  if [ ! -s "$1.numbers" ] || [ ! -s reference.numbers ]; then echo inf && return; fi
  paste "$1.numbers" reference.numbers | awk -v scale="$scale" '
    NF != 2 || $1 ~ /nan|inf/ { bad = 1 }
    { d = ($1 - $2) / (scale + ($2 < 0 ? -$2 : $2)); sum += d * d }
    END { if (bad || !NR) print "inf"; else printf "%.3e\n", sqrt(sum / NR) }'
}

counts_of() { # steps, nonlinear solves, linear solves (Newton iterations), Jacobians
  awk '{ count[$1] += $2 } END { print count["TSStep"] + 0, count["SNESSolve"] + 0, count["KSPSolve"] + 0,
    count["SNESJacobianEval"] + 0 }' "$1.log" 2>/dev/null || echo "0 0 0 0"
}

reason_of() {
  local no_reason='Error Message|Option Table|Petsc Release|Configure options|See https|WARNING!|Option left'
  no_reason+='|ERROR: -[a-z]|#[0-9]+ |/'
  grep -aE 'ERROR: ' "$1.out" | grep -avE "$no_reason" | head -3 || true
}

state=
if [ -z "$reference" ]; then
  reference=$peer
  if [ "$peer" = bdf ]; then reference="bdf -ts_bdf_order 5"; fi
fi
read -ra reference <<<"$reference"
if [ "${reference[0]}" = exact ]; then
  printf '%s\n' "${reference[@]:1}" >reference.numbers
  state=ok
else
  attempt reference "${reference[0]}" "$reference_tolerance" "${reference[@]:1}"
fi
reference_state=$state

run_at() { # type tolerance: appends a line to result.txt; sets state and found_error
  attempt "$1.$2" "$1" "$2"
  found_error=inf
  if [ "$state" = ok ]; then found_error=$(error_of "$1.$2"); fi
  echo "$1 $2 $found_error $(counts_of "$1.$2") $state" >>result.txt
}

failed=0
for tolerance in "${tolerances[@]}"; do
  declare -A error=() outcome=()
  for type in "$peer" gear; do
    run_at "$type" "$tolerance"
    outcome[$type]=$state
    error[$type]=$found_error
  done
  if [ "${outcome[gear]}" != ok ]; then
    echo "$set_name, tolerance $tolerance: gear ${outcome[gear]}"
    reason_of "gear.$tolerance"
    failed=1
  elif [ "$reference_state" = ok ] && awk -v e="${error[gear]}" -v p="${error[$peer]}" -v t="$tolerance" '
      BEGIN { limit = p == "inf" || p < 10 * t ? 10 * t : p; exit !(e == "inf" || e > limit) }'; then
    echo "$set_name, tolerance $tolerance: error ${error[gear]}, $peer has ${error[$peer]}"
    failed=1
  fi
done
if [ "$reference_state" != ok ]; then
  echo "$set_name: no reference by ${reference[*]}: $reference_state"
  reason_of reference
  failed=1
fi

too_accurate() { # the type whose coarsest result beats the other's finest; differences below 1e-11 are ignored
  awk '$3 != "inf" && $3 > 1e-11 { if (!($1 in least) || $3 < least[$1]) least[$1] = $3
      if ($3 > most[$1]) most[$1] = $3 }
    END { for (a in most) for (b in most) if (most[a] < least[b]) print a }' result.txt
}
if [ -z "$sample" ]; then
  for factor in 10 100; do
    type=$(too_accurate)
    if [ -n "$type" ]; then run_at "$type" "$(awk -v t="${tolerances[0]}" -v f="$factor" 'BEGIN { print t * f }')"; fi
  done
fi
cat result.txt
exit $failed
