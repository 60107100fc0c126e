# awk -f scaling.awk counts.jsonl: prints the measured messages of ranks, and the model of scaling.md for many ranks.
# -v work=2e-7 latency=1.5e-6 overhead=3e-7 band=2e9 hop=1.5e-6: seconds of a CG iteration per unknown (default:
# those of the run on one rank), seconds per message, seconds to post one, bytes per second of one rank, seconds
# per stage of a reduction.
function get(name,    at, rest) {
  at = index($0, "\"" name "\": ")
  if (!at) return ""
  rest = substr($0, at + length(name) + 4)
  sub(/[,}].*/, "", rest)
  return rest
}
function log2(x) { return log(x) / log(2) }
# Time of one CG iteration at degree 2 on `ranks` ranks with `own` unknowns each.
function iteration(own, ranks,    exchanges, bytes) {
  if (ranks == 1) return own * work
  exchanges = exchanges_measured + 7 * corner_cycles * (own * ranks > measured_size ? log(own * ranks / measured_size) / log(30) : 0)
  bytes = products * 72 * (own / 3) ^ (2 / 3)
  return own * work + exchanges * (latency + neighbours * overhead) + bytes / band + reductions * hop * log2(ranks)
}
function step(own, ranks,    others) {
  others = ranks > 1 ? (reductions_step - krylov * reductions) * hop * log2(ranks) : 0
  return krylov * iteration(own, ranks) + newton * newton_work * own + (others > 0 ? others : 0)
}
/"bench": "solve"/ {
  d = get("degree"); r = get("ranks") + 0
  if (r == 1) { dofs[d] = get("dofs"); seconds[d] = get("solve_cpu_s") / get("iterations") / get("dofs") }
  per_product = get("messages_product")
  cell[d, r] = sprintf("%.0f | %.0f | %.1f | %s | %.0f | %.1f | %.0f | %d", per_product, get("bytes_product") / 1024,
                       get("messages_iteration"), r > 1 ? sprintf("%.0f", get("messages_iteration") / per_product) : "-",
                       get("bytes_iteration") / 1024, get("reductions_iteration"), get("reductions_preconditioner"),
                       get("iterations"))
  own = get("dofs") / r
  memory[d, r] = sprintf("%.0f | %.1f | %.1f | %s | %s", own, get("memory_mesh_B/DoF") * own / 1048576,
                         get("memory_B/DoF") * own / 1048576, get("mesh_peak/share"), get("setup_peak/share"))
  if (d == 2 && r > 1 && get("messages_iteration") / per_product > exchanges_measured)
    exchanges_measured = get("messages_iteration") / per_product
  if (d == 2 && r > 1 && (fewest == "" || r < fewest)) {
    fewest = r
    products = get("bytes_iteration") / get("bytes_product")
    reductions = get("reductions_iteration")
    measured_size = get("dofs") + 0
  }
}
/"bench": "step",/ {
  r = get("ranks") == "" ? 0 : get("ranks")
  ++n
  m[n] = get("messages_step") + 0; b[n] = get("bytes_step") + 0; red[n] = get("reductions_step") + 0
}
/"bench": "steps"/ {
  r = get("ranks") + 0
  # Steps that rebuild the preconditioner have more reductions; the median step does not rebuild it.
  for (i = 1; i <= n; ++i) for (j = i + 1; j <= n; ++j) if (red[j] < red[i]) {
    t = red[i]; red[i] = red[j]; red[j] = t; t = m[i]; m[i] = m[j]; m[j] = t; t = b[i]; b[i] = b[j]; b[j] = t
  }
  k = int((n + 1) / 2)
  line[r] = sprintf("%d | %.0f | %.0f | %.0f | %.1f | %.1f | %.0f", get("dofs"), m[k], b[k] / 1024, red[k], get("newton/step"),
                    get("krylov/step"), red[n])
  if (r == 1) { newton = get("newton/step"); krylov = get("krylov/step") }
  if (r > 1 && (fewest_steps == "" || r < fewest_steps)) { fewest_steps = r; reductions_step = red[k] }
  n = 0
}
END {
  print "\nCG with the preconditioner on a cube, the busiest rank (KiB)\n"
  print "| degree | DoF | ranks | messages/product | KiB/product | messages/iteration | exchanges/iteration |" \
        " KiB/iteration | reductions/iteration | of the preconditioner | iterations |\n|---|---|---|---|---|---|---|---|---|---|---|"
  for (d = 1; d <= 4; ++d)
    for (r = 1; r <= 64; r *= 2) if ((d, r) in cell) printf "| %d | %d | %d | %s |\n", d, dofs[d], r, cell[d, r]
  print "\nMemory of a rank without the program's own [MiB], mean over the ranks, and that of the fullest rank over the mean\n"
  print "| degree | ranks | DoF/rank | finished mesh | peak | peak of making the mesh / mesh | peak of set-up / its end |"
  print "|---|---|---|---|---|---|---|"
  for (d = 1; d <= 4; ++d)
    for (r = 1; r <= 64; r *= 2) if ((d, r) in memory) printf "| %d | %d | %s |\n", d, r, memory[d, r]
  print "\nA whole step of the beam at degree 2 (median step; the last column is the step that rebuilds most)\n"
  print "| ranks | DoF | messages | KiB | reductions | Newton | Krylov | reductions with a rebuild |\n|---|---|---|---|---|---|---|---|"
  for (r = 1; r <= 64; r *= 2) if (r in line) printf "| %d | %s |\n", r, line[r]
  if (exchanges_measured == "" || newton == "") exit
  if (!work) work = seconds[2]
  if (!latency) latency = 1.5e-6
  if (!overhead) overhead = 3e-7
  if (!band) band = 2e9
  if (!hop) hop = 1.5e-6
  neighbours = 26
  corner_cycles = 3  # each passes through the algebraic levels
  newton_work = 3e-8  # a residual and a linearization, each at the cost of about two products
  printf "\nModel at degree 2: work %.3g s/DoF, %.1f exchanges, %.1f products' bytes and %.1f reductions an iteration; %.1f\n" \
         "iterations and %.1f Newton iterations a step; latency %.2g s, overhead %.2g s, %.2g B/s, %.2g s a stage\n\n",
         work, exchanges_measured, products, reductions, krylov, newton, latency, overhead, band, hop
  print "| ranks | DoF/rank, weak | s/step | efficiency | 1e9 DoF, strong: DoF/rank | s/step | efficiency |\n|---|---|---|---|---|---|---|"
  for (ranks = 1; ranks <= 100000; ranks *= 10) {
    weak = step(1e5, ranks)
    strong = step(1e9 / ranks, ranks)
    printf "| %d | 1e5 | %.3g | %.2f | %.3g | %.3g | %.2f |\n", ranks, weak, step(1e5, 1) / weak, 1e9 / ranks, strong,
           step(1e9, 1) / ranks / strong
  }
}
