# bash superposition.sh <python> <superpose.py> <quake.csv> <folder> -- command: modes of the frame, and its drift by
# superposition; the first six contribute all but 0.03 % of it.
python=$1 superpose=$2 quake=$3 folder=$4
shift 5
rm -rf "$folder"
"$@" -modes 6 -output "$folder" || { echo "exit code $?"; exit 1; }
words=$(PYTHONDONTWRITEBYTECODE=1 "$python" "$superpose" "$folder" "$quake") || exit $?
echo "$words"
[[ $words =~ ^"6 modes: largest drift 0.00516"[7-9][0-9]+" at 2.78" ]]
