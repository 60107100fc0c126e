# Reads JSON lines of the benchmark and prints, for each problem: all runs; the work at equal error, and its ratio to
# CVODE's. Work and error are interpolated logarithmically between two runs of a solver; < marks a solver whose loosest
# run is already that accurate, - one that does not reach the error. With -v folder=F it also writes
# F/<problem>.<solver>.dat for the plots: error of q, tangent products, sweeps, CPU seconds.

function field(key, found) {
  if (!match($0, "\"" key "\": (\"[^\"]*\"|[^,}]*)")) return ""
  found = substr($0, RSTART + length(key) + 4, RLENGTH - length(key) - 4)
  gsub(/"/, "", found)
  return found
}

# Returns the work from which on solver s of problem p keeps below the error e; its runs are ordered from loose to
# tight. The last crossing is used, so that a lucky run does not count. 0: it does not reach the error; negative: its
# loosest run is already below it.
function work_at(p, s, e, works, i, x) {
  i = runs[p, s]
  if (err[p, s, i] > e) return 0
  while (i > 0 && err[p, s, i] <= e) --i
  if (i == 0) return -works[p, s, 1]
  x = log(e / err[p, s, i]) / log(err[p, s, i + 1] / err[p, s, i])
  return exp((1 - x) * log(works[p, s, i]) + x * log(works[p, s, i + 1]))
}

function absolute(x) { return x < 0 ? -x : x }

# Inserts the run of the present line among those of its solver, ordered from loose to tight.
function add_run(p, s, i, t) {
  t = field("tol") + 0
  for (i = ++runs[p, s]; i > 1 && tolerance[p, s, i - 1] < t; --i) {
    tolerance[p, s, i] = tolerance[p, s, i - 1]
    err[p, s, i] = err[p, s, i - 1]
    products[p, s, i] = products[p, s, i - 1]
    sweeps[p, s, i] = sweeps[p, s, i - 1]
    seconds[p, s, i] = seconds[p, s, i - 1]
  }
  tolerance[p, s, i] = t
  err[p, s, i] = field("err_q") + 0
  products[p, s, i] = field("Jv") + 0
  sweeps[p, s, i] = field("F") + field("Jv") + field("eliminations")
  seconds[p, s, i] = field("cpu") + 0
}

function write_points(p, s, i, file) {
  file = folder "/" p "." s ".dat"
  for (i = 1; i <= runs[p, s]; ++i) print err[p, s, i], products[p, s, i], sweeps[p, s, i], seconds[p, s, i] > file
  close(file)
}

# Prints the work at the errors of `targets`, with its ratio to CVODE's.
function print_work(p, title, works, i, s, k, w, reference, text) {
  printf "\n%s: %s at equal error of q (ratio to cvode)\n%-16s", p, title, "error"
  for (k = 1; k <= target_count; ++k) printf "%18s", targets[k]
  printf "\n"
  for (i = 1; i <= solver_count; ++i) {
    s = solvers[i]
    if (!((p, s) in runs)) continue
    printf "%-16s", s
    for (k = 1; k <= target_count; ++k) {
      w = work_at(p, s, targets[k] + 0, works)
      reference = ((p, "cvode") in runs) ? work_at(p, "cvode", targets[k] + 0, works) : 0
      text = sprintf("%s%.3g", w < 0 ? "<" : "", absolute(w))
      if (w > 0 && reference > 0) text = text sprintf(" (%.2f)", w / reference)
      printf "%18s", w == 0 ? "-" : text
    }
    printf "\n"
  }
}

BEGIN {
  target_count = split("1e-1 1e-2 1e-3 1e-4 1e-5 1e-6", targets, " ")
}

{
  p = field("problem")
  s = field("solver")
  if (!(p in seen_problem)) problems[++problem_count] = p
  if (!(s in seen_solver)) solvers[++solver_count] = s
  seen_problem[p] = seen_solver[s] = 1
  if (field("failure") != "" || field("err_q") + 0 <= 0) {
    lines[p] = lines[p] sprintf("%-16s %-6s  %s\n", s, field("tol"), substr(field("failure"), 1, 90))
    next
  }
  add_run(p, s)
  lines[p] = lines[p] sprintf("%-16s %-6s %8d %6d %8d %8d %9d %9d %9d %7d %9.2e %9.2e %8.2f\n", s, field("tol"),
    field("steps"), field("rejected"), field("newton"), field("F"), field("Jv"), field("F") + field("Jv"),
    field("eliminations"), field("pc_builds"), field("err_q"), field("err_v"), field("cpu"))
}

END {
  for (i = 1; i <= problem_count; ++i) {
    p = problems[i]
    printf "%s%s\n\n", (i > 1 ? "\n" : ""), p
    printf "%-16s %-6s %8s %6s %8s %8s %9s %9s %9s %7s %9s %9s %8s\n%s", "solver", "tol", "steps", "reject", "newton",
      "F", "Jv", "F+Jv", "elim", "builds", "err_q", "err_v", "cpu [s]", lines[p]
    print_work(p, "tangent products", products)
    print_work(p, "sweeps (forces, products, eliminations)", sweeps)
    print_work(p, "processor seconds", seconds)
    for (k = 1; folder != "" && k <= solver_count; ++k) if ((p, solvers[k]) in runs) write_points(p, solvers[k])
  }
}
