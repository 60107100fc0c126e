# To be sourced: output_of COMMAND... sets `output` to what the command prints, stdout before stderr, and `ended` to its
# exit code. Joined by 2>&1, mpirun's copies of the two may be torn in the middle of a line.
output_of() {
  local errors
  errors=$(mktemp)
  output=$("$@" 2>"$errors")
  ended=$?
  output+=$'\n'$(<"$errors")
  rm -f "$errors"
}
