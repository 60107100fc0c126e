# awk -v nx=100 -v ny=10 -v nz=10 -v dt=0.01 -v steps=4 -f calculix_beam.awk: writes a CalculiX deck of the beam of
# `gearshift-bench step`, 1 x 0.1 x 0.1, E 1e7, nu 0.3, rho 1000, clamped at x = 0, released under gravity 10 along -z.
# Quadratic bricks (C3D20R, 20 nodes), St. Venant-Kirchhoff (*ELASTIC with NLGEOM), trapezoidal rule at a fixed step.
# The last node printed is the middle of the free end, so that ny and nz must be even.
function number(i, j, k) { return (i * (2 * ny + 1) + j) * (2 * nz + 1) + k + 1 }
function list(text,    part, n, m, line) {
  n = split(text, part, " ")
  line = ""
  for (m = 1; m <= n; ++m) {
    line = line part[m] (m < n ? ", " : "")
    if (m % 10 == 0 && m < n) { print line; line = "" }
  }
  print line
}
BEGIN {
  if (ny % 2 || nz % 2) { print "calculix_beam.awk: ny and nz must be even" > "/dev/stderr"; exit 1 }
  print "*HEADING\nbeam released under its weight\n*NODE, NSET=NALL"
  for (i = 0; i <= 2 * nx; ++i)
    for (j = 0; j <= 2 * ny; ++j)
      for (k = 0; k <= 2 * nz; ++k)
        if (i % 2 + j % 2 + k % 2 <= 1)
          printf "%d, %.12g, %.12g, %.12g\n", number(i, j, k), i / (2 * nx), 0.1 * j / (2 * ny), 0.1 * k / (2 * nz)
  # Corners below and above, then the midpoints of the edges below, above and between.
  count = split("0 0 0 2 0 0 2 2 0 0 2 0 0 0 2 2 0 2 2 2 2 0 2 2 1 0 0 2 1 0 1 2 0 0 1 0 " \
                "1 0 2 2 1 2 1 2 2 0 1 2 0 0 1 2 0 1 2 2 1 0 2 1", at, " ")
  print "*ELEMENT, TYPE=C3D20R, ELSET=BODY"
  for (i = 0; i < nx; ++i)
    for (j = 0; j < ny; ++j)
      for (k = 0; k < nz; ++k) {
        text = ++element
        for (m = 1; m < count; m += 3) text = text " " number(2 * i + at[m], 2 * j + at[m + 1], 2 * k + at[m + 2])
        list(text)
      }
  print "*NSET, NSET=CLAMP"
  for (j = 0; j <= 2 * ny; ++j)
    for (k = 0; k <= 2 * nz; ++k)
      if (j % 2 + k % 2 <= 1) print number(0, j, k) ","
  print "*NSET, NSET=TIP\n" number(2 * nx, ny, nz) ","
  print "*MATERIAL, NAME=RUBBER\n*ELASTIC\n1e7, 0.3\n*DENSITY\n1000\n*SOLID SECTION, ELSET=BODY, MATERIAL=RUBBER"
  print "*BOUNDARY\nCLAMP, 1, 3"
  printf "*STEP, NLGEOM, INC=%d, AMPLITUDE=STEP\n", steps + 10
  printf "*DYNAMIC, DIRECT, ALPHA=0, SOLVER=SPOOLES\n%.12g, %.12g\n", dt, dt * steps
  print "*DLOAD\nBODY, GRAV, 10., 0., 0., -1.\n*NODE PRINT, NSET=TIP, FREQUENCY=1\nU\n*END STEP"
}
