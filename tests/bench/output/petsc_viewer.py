"""mpirun -n 2 python3 petsc_viewer.py CELLS FOLDER ROUNDS: writes a displacement of degree 2 on CELLS^3 hexahedra.

Uses PETSc's viewers. Prints rows of the table of output.sh: mesh and field, and only the field, as HDF5. Prints a
note if petsc4py is missing.
"""
import os
import sys

try:
    import petsc4py
    petsc4py.init([])
    from petsc4py import PETSc
except ImportError as missing:
    print(f"skipped: {missing}")
    sys.exit(0)

cells, folder, rounds = int(sys.argv[1]), sys.argv[2], int(sys.argv[3])
dm = PETSc.DMPlex().createBoxMesh([cells] * 3, simplex=False, interpolate=True)
dm.distribute()
dm.addField(PETSc.FE().createLagrange(3, 3, False, 2, PETSc.DETERMINE))
dm.createDS()
u = dm.createGlobalVec()
u.setName("displacement")
u.setRandom()
seconds, sizes = [[], []], [0, 0]
for _ in range(rounds):
    for i, (parts, end) in enumerate((((dm, u), "mesh.h5"), ((u,), "field.h5"))):
        file = os.path.join(folder, end)
        PETSc.COMM_WORLD.barrier()
        start = PETSc.Log.getTime()
        viewer = PETSc.Viewer().createHDF5(file, "w", dm.comm)
        for part in parts:
            part.view(viewer)
        viewer.destroy()
        PETSc.COMM_WORLD.barrier()
        seconds[i].append(PETSc.Log.getTime() - start)
        sizes[i] = os.path.getsize(file) / 1e6
        PETSc.COMM_WORLD.barrier()
        if PETSc.COMM_WORLD.rank == 0:
            os.remove(file)
for name, took, size in zip(("PETSc's HDF5 viewer, mesh and field", "only the field"), seconds, sizes):
    PETSc.Sys.Print(f"| {name} | {u.getSize()} | {min(took):.3g} | {size:.1f} |")
