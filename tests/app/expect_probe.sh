# bash expect_probe.sh [-x code] <probe.csv> <tolerance> <column=value>... -- command: the last row of the file written
# by the command has these values; the command ends with this exit code (0).
expected=0
if [ "$1" = -x ]; then
  expected=$2
  shift 2
fi
file=$1 tolerance=$2
shift 2
wanted=()
while [ "$1" != -- ]; do
  wanted+=("$1")
  shift
done
shift
rm -f "$file"
"$@"
code=$?
[ $code = "$expected" ] || { echo "exit code $code, wanted $expected"; exit 1; }
for pair in "${wanted[@]}"; do
  awk -F, -v name="${pair%%=*}" -v value="${pair#*=}" -v tolerance="$tolerance" -v OFS=' ' '
    NR == 1 { for (i = 1; i <= NF; ++i) if ($i == name) column = i }
    END {
      difference = $column - value
      if (column && difference <= tolerance && -difference <= tolerance) exit 0
      print "column", name, "is", $column, "and not", value
      exit 1
    }' "$file" || exit 1
done
