# Reads JSON lines of the benchmark and prints, for each problem: all runs; the work at equal error, and its ratio to that
# of the cheapest peer, which is named: CVODE 1-5, CVODE 1-2, IDA, ARK4 or TSALPHA2, tuned or not. Errors are the larger
# of those of q and v. Work and error are interpolated logarithmically between two runs of a solver; < marks a solver whose
# loosest run is already that accurate, - one that does not reach the error. At the end: the ratios of `gear`, F + Jv and
# processor seconds, as Markdown. With -v folder=F it also writes F/<problem>.<solver>.dat for the plots: error, F + Jv,
# CPU seconds.

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
function larger(x, y) { return x > y ? x : y }

# Returns the least work of a peer at the error e, negative if its loosest run is already below e, 0 if no peer reaches
# it, and sets `cheapest` to its name.
function least_work(p, e, works, i, s, w, least) {
  least = 0
  for (i = 1; i <= peer_count; ++i) {
    s = peers[i]
    w = (p, s) in runs ? work_at(p, s, e, works) : 0
    if (w != 0 && (least == 0 || absolute(w) < absolute(least))) { least = w; cheapest = title_of[s] }
  }
  return least
}

# Inserts the run of the present line among those of its solver, ordered from loose to tight.
function add_run(p, s, i, t) {
  t = field("tol") + 0
  for (i = ++runs[p, s]; i > 1 && tolerance[p, s, i - 1] < t; --i) {
    tolerance[p, s, i] = tolerance[p, s, i - 1]
    err[p, s, i] = err[p, s, i - 1]
    work[p, s, i] = work[p, s, i - 1]
    seconds[p, s, i] = seconds[p, s, i - 1]
  }
  tolerance[p, s, i] = t
  err[p, s, i] = larger(field("err_q") + 0, field("err_v") + 0)
  work[p, s, i] = field("F") + field("Jv")
  seconds[p, s, i] = field("cpu") + 0
}

function write_points(p, s, i, file) {
  file = folder "/" p "." s ".dat"
  for (i = 1; i <= runs[p, s]; ++i) print err[p, s, i], work[p, s, i], seconds[p, s, i] > file
  close(file)
}

# Prints the work at the errors of `targets`, with its ratio to the cheapest peer's.
function print_work(p, title, works, i, s, k, w, reference, text) {
  printf "\n%s: %s at equal error (ratio to the cheapest peer)\n%-16s", p, title, "error"
  for (k = 1; k <= target_count; ++k) printf "%18s", targets[k]
  printf "\n"
  for (i = 1; i <= solver_count; ++i) {
    s = solvers[i]
    if (!((p, s) in runs)) continue
    printf "%-16s", s
    for (k = 1; k <= target_count; ++k) {
      w = work_at(p, s, targets[k] + 0, works)
      reference = least_work(p, targets[k] + 0, works)
      text = sprintf("%s%.3g", w < 0 ? "<" : "", absolute(w))
      if (reference != 0) text = text sprintf(" (%.2f)", absolute(w / reference))
      printf "%18s", w == 0 ? "-" : text
    }
    printf "\n"
  }
}

# Prints a row of the table of gear's ratios, and keeps those of F + Jv for the median. <: gear's loosest run is more
# accurate, so that the ratio is an upper bound; >: the peer's is, so that it is a lower one.
function print_ratios(p, title, works, kept, k, w, reference, cell) {
  printf "| %s |", title
  for (k = 2; k <= 5; ++k) {
    w = work_at(p, "gear", targets[k] + 0, works)
    reference = least_work(p, targets[k] + 0, works)
    cell = w == 0 || (w < 0 && reference < 0) ? "-" : "no peer"
    if (cell != "-" && reference != 0)
      cell = sprintf("%s%.2f %s", w < 0 ? "<" : reference < 0 ? ">" : "", absolute(w / reference), cheapest)
    if (kept && cell ~ /^[0-9]/) all[++all_count] = w / reference
    printf " %s |", cell
  }
  printf "\n"
}

function print_median(i, j, x) {
  for (i = 2; i <= all_count; ++i) {
    x = all[i]
    for (j = i; j > 1 && all[j - 1] > x; --j) all[j] = all[j - 1]
    all[j] = x
  }
  if (all_count) printf "\nmedian of the %d ratios of F + Jv: %.3f\n", all_count,
                        (all[int((all_count + 1) / 2)] + all[int(all_count / 2) + 1]) / 2
}

BEGIN {
  target_count = split("1e-1 1e-2 1e-3 1e-4 1e-5 1e-6", targets, " ")
  peer_count = split("cvode cvode2 ida ida_tuned dirk4 dirk4_tuned alpha2 alpha2_tuned", peers, " ")
  split("CVODE CVODE2 IDA IDA ARK4 ARK4 TSALPHA2 TSALPHA2", titles, " ")
  for (i = 1; i <= peer_count; ++i) title_of[peers[i]] = titles[i]
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
    print_work(p, "F + Jv", work)
    print_work(p, "processor seconds", seconds)
    for (k = 1; folder != "" && k <= solver_count; ++k) if ((p, solvers[k]) in runs) write_points(p, solvers[k])
  }
  print "\n| problem | 1e-2 | 1e-3 | 1e-4 | 1e-5 |\n|---|---|---|---|---|"
  for (i = 1; i <= problem_count; ++i) if ((problems[i], "gear") in runs) {
    print_ratios(problems[i], problems[i] ", F + Jv", work, 1)
    print_ratios(problems[i], "seconds", seconds, 0)
  }
  print_median()
}
