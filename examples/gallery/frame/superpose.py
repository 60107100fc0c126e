#!/usr/bin/python3
"""Computes the drift of the frame by modal superposition, to check the time integration.

  superpose.py MODES QUAKE [RUN]      folder of a run with -modes; record; folder of a transient run

The mode shapes give the participation of each mode; its oscillator is solved exactly for a record that is linear
between its rows. Prints the largest drift of the roof and its time and, if RUN is given, the largest difference between
the two. Needs the Python modules numpy and vtk (Debian: python3-numpy, python3-vtk9); exit code 77: one of them is
missing.
"""
import pathlib
import sys
import xml.etree.ElementTree

try:
    import numpy as np
    from vtkmodules.util.numpy_support import vtk_to_numpy
    from vtkmodules.vtkIOXML import vtkXMLPUnstructuredGridReader, vtkXMLUnstructuredGridReader
except ImportError as missing:
    print(f"no superposition: {missing}", file=sys.stderr)
    sys.exit(77)

DENSITY, SIDE = 2500, 0.4  # density and edge length of the cells, which are cubes
RAYLEIGH_MASS, RAYLEIGH_STIFFNESS = 3.2852, 5.2183e-4
ROOF = (0, 6.8, 0.2)
LINE = SIDE / 30 * np.array([[4, 2, -1], [2, 16, 2], [-1, 2, 4]])  # mass matrix of degree 2 on an interval
CUBE = DENSITY * np.kron(np.kron(LINE, LINE), LINE)


def shape_of(file):
    """Returns the displacement along x at the roof, and phi' M 1_x and phi' M phi of the shape."""
    reader = vtkXMLPUnstructuredGridReader() if file.suffix == ".pvtu" else vtkXMLUnstructuredGridReader()
    reader.SetFileName(str(file))
    reader.Update()
    grid = reader.GetOutput()
    points = vtk_to_numpy(grid.GetPoints().GetData())
    shape = vtk_to_numpy(grid.GetPointData().GetArray("displacement"))
    moved = own = 0.0
    for c in range(grid.GetNumberOfCells()):
        ids = grid.GetCell(c).GetPointIds()
        nodes = np.array([ids.GetId(i) for i in range(ids.GetNumberOfIds())])
        nodes = nodes[np.lexsort(np.round(points[nodes] / (SIDE / 2)).T)]
        local = shape[nodes]
        moved += (CUBE @ local[:, 0]).sum()
        own += np.einsum("ij,ij->", local, CUBE @ local)
    roof = np.argmin(np.linalg.norm(points - ROOF, axis=1))
    return shape[roof, 0], moved, own


def oscillator(w, times, loads):
    """Returns u of u'' + 2 z w u' + w^2 u = load from rest at the times, exact for loads linear between them."""
    z = RAYLEIGH_MASS / (2 * w) + RAYLEIGH_STIFFNESS * w / 2
    step = times[1] - times[0]
    system = np.array([[0, 1, 0, 0], [-w * w, -2 * z * w, 1, 0], [0, 0, 0, 1], [0, 0, 0, 0]])
    values, vectors = np.linalg.eig(system[:2, :2])
    # The response to the load's value and slope: a particular solution a + b t, and a decaying part.
    over = (vectors * np.exp(values * step)) @ np.linalg.inv(vectors)
    state, result = np.zeros(2), [0.0]
    for before, after in zip(loads[:-1], loads[1:]):
        b = (after - before) / step / w**2
        a = before / w**2 - 2 * z / w * b
        state = (over @ (state - (a, b))).real + (a + b * step, b)
        result.append(state[0])
    return np.array(result)


def main():
    modes, quake = pathlib.Path(sys.argv[1]), np.loadtxt(sys.argv[2], delimiter=",", skiprows=1)
    frequencies = np.loadtxt(modes / "modes.csv", delimiter=",", skiprows=1)[:, 1]
    fine = np.linspace(quake[0, 0], quake[-1, 0], 20 * (len(quake) - 1) + 1)  # the rows, and times between them
    loads = np.interp(fine, quake[:, 0], quake[:, 1])
    drift = np.zeros(len(fine))
    series = xml.etree.ElementTree.parse(modes / "modes.pvd").iter("DataSet")
    for item, frequency in zip(series, frequencies):
        at_roof, moved, own = shape_of(modes / item.get("file"))
        drift -= at_roof * moved / own * oscillator(2 * np.pi * frequency, fine, loads)
    peak = np.argmax(np.abs(drift))
    print(f"{len(frequencies)} modes: largest drift {drift[peak]:.7f} at {fine[peak]:.4f}", end="")
    if len(sys.argv) > 3:
        run = np.genfromtxt(pathlib.Path(sys.argv[3]) / "probe_roof.csv", delimiter=",", names=True)
        off = np.abs(run["ux"] - np.interp(run["t"], fine, drift)).max()
        print(f", run {run['ux'][np.argmax(np.abs(run['ux']))]:.7f}, difference over all times {off:.7f}", end="")
    print()


if __name__ == "__main__":
    main()
