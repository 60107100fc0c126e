# awk -v folder=DATA -f table.awk runs.jsonl: prints the medians of the runs as Markdown tables, and writes data files
# into this folder for plot.gp.
function get(name,    at, rest) {
  at = index($0, "\"" name "\": ")
  if (!at) return ""
  rest = substr($0, at + length(name) + 4)
  sub(/^"/, "", rest)
  sub(/["]?[,}].*/, "", rest)
  return rest == "null" ? "" : rest
}
function note(key, value) { if (value != "") values[key, ++count[key]] = value + 0 }
function median(key,    n, i, j, t, v) {
  n = count[key]
  if (!n) return ""
  for (i = 1; i <= n; ++i) v[i] = values[key, i]
  for (i = 1; i <= n; ++i) for (j = i + 1; j <= n; ++j) if (v[j] < v[i]) { t = v[i]; v[i] = v[j]; v[j] = t }
  return v[int((n + 1) / 2)]
}
function show(value, form) { return value == "" ? "-" : sprintf(form, value) }
function ratio(a, b) { return a == "" || b == "" || b == 0 ? "-" : sprintf("%.3g", a / b) }

# Prints the table of solves on `on` ranks; if `drawn`, also writes its rows to the data files.
function print_solves(on, drawn,    i, p, part, a, b, with) {
  printf "\nStatic cantilever to 1e-8 on %s: seconds, memory beside the mesh; ratios: CG + GAMG on the assembled matrix over ours\n\n",
    on == 1 ? "one rank" : on " ranks"
  print "| degree | DoF | iterations | set-up s | solve s | B/DoF | GAMG iterations | assembly s | set-up s | solve s | B/DoF |" \
        " time ratio | with assembly | processor time | memory |"
  print "|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|"
  for (p = 1; p <= 4; ++p)
    for (i = 1; i <= solves; ++i) {
      split(keys[i], part, " ")
      if (part[1] != "ours" || part[2] != p || part[4] != on) continue
      a = keys[i]
      b = "assembled " part[2] " " part[3] " " on
      with = count[b " total"] ? median(b " total") + median(b " assemble") : ""
      printf "| %d | %d | %d | %.2f | %.2f | %.0f | %s | %s | %s | %s | %s | %s | %s | %s | %s |\n", p, part[3],
        median(a " iterations"), median(a " setup"), median(a " solve"), median(a " memory"), show(median(b " iterations"), "%d"),
        show(median(b " assemble"), "%.2f"), show(median(b " setup"), "%.2f"), show(median(b " solve"), "%.2f"),
        show(median(b " memory"), "%.0f"), ratio(median(b " total"), median(a " total")), ratio(with, median(a " total")),
        ratio(median(b " cpu"), median(a " cpu")), ratio(median(b " memory"), median(a " memory"))
      if (!drawn) continue
      print part[3], median(a " cpu"), median(a " iterations") > (folder "/ours_" p ".dat")
      if (count[b " total"]) print part[3], median(b " cpu"), median(b " iterations") > (folder "/assembled_" p ".dat")
    }
}

/"bench": "machine"/ { note("triad", get("triad_GB/s")); note("peak", get("peak_GFLOP/s")) }
/"bench": "operator"/ {
  if (get("ranks") > 1) {
    if (get("product") == "tangent") note("parallel " get("degree") " " get("material") " " get("cells"), get("MDoF/s"))
    shared = get("ranks")
    next
  }
  if (get("product") == "tangent") note("serial " get("degree") " " get("material") " " get("cells"), get("MDoF/s"))
  kind = get("product") == "aij" || get("product") == "baij" ? get("product") : get("material") " " get("cells") " " get("product")
  note("rate " get("degree") " " kind, get("MDoF/s_cpu"))
  if (get("kernel_ratio") != "") note("shell " get("degree") " " get("material") " " get("cells"), get("kernel_ratio"))
}
/"bench": "solve"/ || /"bench": "assembled"/ {
  own = get("bench") == "solve"
  plain = (get("dt") == "" || get("dt") == 0) && get("nu") == 0.3 && get("stretch") == 1
  key = (own ? "ours" : "assembled") " " get("degree") " " get("dofs") " " get("ranks")
  if (!plain) {
    what = get("stretch") != 1 ? "cells " get("stretch") " times as long" : get("dt") > 0 ? "dt " get("dt") : "nu " get("nu")
    if (!(what in special)) { special[what] = ++specials; names[specials] = what }
    note("special " what " " get("degree"), get("iterations"))
    next
  }
  if (!(key in solved)) { solved[key] = ++solves; keys[solves] = key }
  if (!(get("ranks") in ranked)) { ranked[get("ranks")] = ++rank_counts; ranks[rank_counts] = get("ranks") }
  note(key " setup", get("setup_s"))
  note(key " solve", get("solve_s"))
  note(key " assemble", get("assemble_s"))
  note(key " iterations", get("iterations"))
  note(key " memory", get("memory_solver_B/DoF"))
  note(key " total", get("setup_s") + get("solve_s"))
  note(key " cpu", get("setup_cpu_s") + get("solve_cpu_s"))
}
/"bench": "reference"/ { reference = get("tip_uz") }
/"bench": "steps"/ || /"bench": "calculix"/ {
  who = get("bench") == "calculix" ? "CalculiX" : "gearshift, " get("material")
  if (get("bench") == "calculix") calculix_dofs = get("dofs")
  key = who " " get("dofs")
  if (!(key in stepped)) { stepped[key] = ++steppers; step_keys[steppers] = key; step_who[steppers] = who; step_dofs[steppers] = get("dofs") }
  note(key " time", get("s/step"))
  note(key " mean", get("bench") == "calculix" ? get("total_s") / get("steps") : get("s/step_mean"))
  counted[key] = get("steps")
  note(key " memory", get("memory_B/DoF") * get("dofs") / 1048576)
  note(key " tip", get("tip_uz"))
  note(key " newton", get("newton/step"))
  note(key " krylov", get("krylov/step"))
}
END {
  if (count["triad"]) {
    printf "\nProducts, MDoF/s of one core by processor time (triad %.1f GB/s, peak %.1f GFLOP/s)\n\n", median("triad"), median("peak")
    print "| product | Q1 | Q2 | Q3 | Q4 |\n|---|---|---|---|---|"
    kinds = split("neo_hookean general tangent;neo_hookean cartesian tangent;neo_hookean general residual;" \
                  "neo_hookean cartesian residual;linear_elastic cartesian tangent;linear_elastic cartesian matmult;aij;baij", series, ";")
    for (i = 1; i <= kinds; ++i) {
      line = "| " series[i] " |"
      for (p = 1; p <= 4; ++p) line = line " " show(median("rate " p " " series[i]), "%.1f") " |"
      print line
      file = folder "/" series[i] ".dat"
      gsub(/ /, "_", file)
      for (p = 1; p <= 4; ++p) if (count["rate " p " " series[i]]) print p, median("rate " p " " series[i]) > file
    }
    split("neo_hookean general;neo_hookean cartesian;linear_elastic cartesian", shells, ";")
    for (i = 1; i <= 3; ++i) {
      line = "| MatMult with supports / bare kernel, " shells[i] " |"
      for (p = 1; p <= 4; ++p) line = line " " show(median("shell " p " " shells[i]), "%.2f") " |"
      print line
    }
    for (i = 1; shared && i <= 3; ++i) {
      line = "| tangent, rate on " shared " ranks over that on one, " shells[i] " |"
      for (p = 1; p <= 4; ++p) line = line " " ratio(median("parallel " p " " shells[i]), median("serial " p " " shells[i])) " |"
      print line
    }
  }
  if (solves) {
    for (i = 1; i <= solves; ++i) for (j = i + 1; j <= solves; ++j) {
      split(keys[i], part, " ")
      split(keys[j], other, " ")
      if (other[3] + 0 < part[3] + 0) { t = keys[i]; keys[i] = keys[j]; keys[j] = t }
    }
    for (i = 1; i <= rank_counts; ++i) print_solves(ranks[i], i == 1)
  }
  if (specials) {
    print "\nIterations at 1.2e5 DoF where it is harder, and with inertia\n\n| case | Q1 | Q2 | Q3 | Q4 |\n|---|---|---|---|---|"
    for (i = 1; i <= specials; ++i) {
      line = "| " names[i] " |"
      for (p = 1; p <= 4; ++p) line = line " " show(median("special " names[i] " " p), "%d") " |"
      print line
    }
  }
  if (steppers) {
    print "\nWhole nonlinear steps of 0.01\n\n| | DoF | steps | s/step, median | with start-up, mean | Newton | Krylov | MiB | tip u_z | off by |\n|---|---|---|---|---|---|---|---|---|---|"
    for (i = 1; i <= steppers; ++i) {
      k = step_keys[i]
      off = median(k " tip") - reference
      printf "| %s | %d | %d | %.3g | %.3g | %s | %s | %.0f | %.6g | %s |\n", step_who[i], step_dofs[i], counted[k],
        median(k " time"), median(k " mean"), show(median(k " newton"), "%.1f"), show(median(k " krylov"), "%.1f"), median(k " memory"), median(k " tip"),
        reference == "" || counted[k] != counted["CalculiX " calculix_dofs] ? "-" : sprintf("%.1e", off < 0 ? -off : off)
    }
  }
}
