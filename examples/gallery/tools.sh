# Functions shared by the gallery's table and its tests; to be sourced.

# value FILE COLUMN [KEY]: prints an entry of a CSV file, from its last row or from the row whose first entry is KEY.
value() {
  awk -F, -v name="$2" -v key="${3:-}" '
    NR == 1 { for (i = 1; i <= NF; ++i) if ($i == name) column = i }
    NR > 1 && (key == "" || ($1 - key) ^ 2 <= 1e-18 * key ^ 2) { found = $column; rows = 1 }
    END { if (!column || !rows) exit 1; print found }' "$1" ||
    { echo "$1 has no column '$2', or no row '${3:-}'" >&2; return 1; }
}

# off VALUE REFERENCE: prints the difference relative to the reference, or the difference itself if the reference is 0.
off() { awk -v x="$1" -v r="$2" 'BEGIN { d = x - r; printf "%.3g", r ? d / (r < 0 ? -r : r) : d }'; }

# within DIFFERENCE LIMIT: succeeds if the absolute difference is within the limit.
within() { awk -v d="$1" -v limit="$2" 'BEGIN { exit !(d <= limit && -d <= limit) }'; }
