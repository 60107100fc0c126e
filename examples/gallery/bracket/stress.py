#!/usr/bin/python3
"""Compares the stress of the bracket at all nodes with CalculiX.

  stress.py deck MESH > NAME.inp           then: ccx NAME
  stress.py compare NAME FRAME             NAME.inp, NAME.frd; a frame (VTU or PVTU) of -degree 2 -fields displacement,cauchy
  stress.py truth FRAME FINE               such a frame, and one of the same mesh with -dm_refine 1 -degree 3

`compare` prints relative differences of von Mises stress at nodes, with respect to CalculiX's values: the median, the
ninth decile and the maximum over the nodes farther than three radii from the bolts' axes, and over those of them
with more than a tenth of the largest stress among them.

  recovered     the frame's stress, recovered from patches of cells
  extrapolated  CalculiX's recovery applied to the frame's displacements: the stress at four points of a cell is
                extrapolated linearly to its vertices, averaged from two vertices to the middle of an edge, and averaged
                over all cells at a node

In the line `extrapolated` both programs use the same recovery; in `recovered` the recoveries differ as well. `truth`
prints how far both are from FINE at the same nodes, relative to FINE.
Needs the Python modules numpy and vtk (Debian: python3-numpy, python3-vtk9).
"""
import sys

import numpy as np

import calculix

YOUNG, POISSON = map(float, calculix.YOUNG_POISSON.split(","))  # St. Venant-Kirchhoff law
EDGES = ((0, 1), (1, 2), (0, 2), (0, 3), (1, 3), (2, 3))
BOLT = np.array([0.045, 0.029])
RADIUS = 0.0055
SHIFTS = np.array([[i, j, k] for i in (-1, 1) for j in (-1, 1) for k in (-1, 1)])


def deck(mesh):
    calculix.body(mesh)
    print(f"{calculix.STEEL}\n*SOLID SECTION, ELSET=BODY, MATERIAL=STEEL\n*BOUNDARY\nCLAMP, 1, 3")
    print("*STEP, NLGEOM\n*STATIC\n*DLOAD\nBODY, GRAV, 1e5, 0., 1., 0.")
    print("*NODE FILE\nU\n*EL FILE\nS\n*END STEP")


def result(name):
    """Reads CalculiX's positions, displacements and stresses xx yy zz xy yz xz, [node][component] by node number."""
    found, rows = {"PLACE": {}}, None
    for line in open(name + ".inp"):  # coordinates, because *.frd has only six digits
        if line.startswith("*"):
            rows = found["PLACE"] if line.startswith("*NODE,") else None
        elif rows is not None:
            number, *place = line.split(",")
            rows[int(number)] = [float(x) for x in place]
    for line in open(name + ".frd"):
        if line.startswith(" -4"):
            rows = found.setdefault(line.split()[1], {})
        elif line.startswith(" -3"):
            rows = None
        elif line.startswith(" -1") and rows is not None:
            rows[int(line[3:13])] = [float(line[at:at + 12]) for at in range(13, len(line.rstrip()), 12)]
    order = sorted(found["DISP"])
    return [np.array([found[name][n] for n in order]) for name in ("PLACE", "DISP", "STRESS")]


def frame(path):
    """Returns positions, displacements, stresses and the ten-node cells of a frame."""
    from vtkmodules.util.numpy_support import vtk_to_numpy
    from vtkmodules.vtkIOXML import vtkXMLPUnstructuredGridReader, vtkXMLUnstructuredGridReader
    reader = vtkXMLPUnstructuredGridReader() if path.endswith(".pvtu") else vtkXMLUnstructuredGridReader()
    reader.SetFileName(path)
    reader.Update()
    grid = reader.GetOutput()
    cells = vtk_to_numpy(grid.GetCells().GetConnectivityArray()).reshape(grid.GetNumberOfCells(), -1)
    arrays = [vtk_to_numpy(grid.GetPointData().GetArray(name)) for name in ("displacement", "cauchy")]
    return vtk_to_numpy(grid.GetPoints().GetData()), *arrays, cells


def gradients(places):
    """Returns derivatives of a cell's ten functions at points in barycentric coordinates, [point][function][3]."""
    of_vertex = np.array([[-1, -1, -1], [1, 0, 0], [0, 1, 0], [0, 0, 1]])
    found = [[(4 * b[i] - 1) * of_vertex[i] for i in range(4)] +
             [4 * (b[i] * of_vertex[j] + b[j] * of_vertex[i]) for i, j in EDGES] for b in places]
    return np.array(found)


def extrapolated(places, displacements, cells):
    """Returns the Cauchy stress at nodes by CalculiX's recovery, for cells with straight edges."""
    inner, outer = (5 - 5 ** 0.5) / 20, (5 + 3 * 5 ** 0.5) / 20
    points = np.full((4, 4), inner) + (outer - inner) * np.eye(4)
    vertices = np.array([places[cells[:, i]] - places[cells[:, 0]] for i in (1, 2, 3)]).transpose(1, 2, 0)  # [cell][x][xi]
    slopes = np.einsum("pnj,cjk->cpnk", gradients(points), np.linalg.inv(vertices))
    F = np.eye(3) + np.einsum("cni,cpnk->cpik", displacements[cells], slopes)
    E = (np.einsum("cpki,cpkj->cpij", F, F) - np.eye(3)) / 2
    mu, lame = YOUNG / (2 + 2 * POISSON), YOUNG * POISSON / (1 + POISSON) / (1 - 2 * POISSON)
    S = 2 * mu * E + lame * np.trace(E, axis1=2, axis2=3)[..., None, None] * np.eye(3)
    sigma = F @ S @ F.transpose(0, 1, 3, 2) / np.linalg.det(F)[..., None, None]
    voigt = np.stack([sigma[..., i, j] for i, j in ((0, 0), (1, 1), (2, 2), (0, 1), (1, 2), (0, 2))], axis=-1)
    at_vertices = np.einsum("vp,cpk->cvk", np.linalg.inv(points), voigt)
    at_nodes = np.concatenate([at_vertices, np.stack([at_vertices[:, [i, j]].mean(axis=1) for i, j in EDGES], axis=1)], axis=1)
    total, count = np.zeros((len(places), 6)), np.zeros(len(places))
    np.add.at(total, cells, at_nodes)
    np.add.at(count, cells, 1)
    return total / count[:, None]


def von_mises(s):
    normal = (s[:, 0] - s[:, 1]) ** 2 + (s[:, 1] - s[:, 2]) ** 2 + (s[:, 2] - s[:, 0]) ** 2
    return np.sqrt(normal / 2 + 3 * (s[:, 3:] ** 2).sum(axis=1))


def same(nodes, places):
    """Returns for each node the index of the row of `places` at its position, within a tenth of a micrometre."""
    rows = {}
    for i, place in enumerate(np.floor(places * 1e6).astype(int)):
        rows.setdefault(tuple(place), []).append(i)
    found = []
    for node in nodes:
        corners = {tuple(np.floor((node + shift) * 1e6).astype(int)) for shift in 1e-7 * SHIFTS}
        close = [i for corner in corners for i in rows.get(corner, []) if np.abs(places[i] - node).max() < 1e-7]
        assert len(close) == 1, f"no node, or several, at {node}: is it the same mesh?"
        found += close
    return np.array(found)


def groups(nodes, reference):
    """Selects the nodes far from bolts, and those of them with more than a tenth of the largest stress there."""
    far = np.hypot(*(np.abs(nodes[:, :2]) - BOLT).T) > 3 * RADIUS
    loaded = far & (reference > reference[far].max() / 10)
    print(f"{len(nodes)} nodes, {far.sum()} far from bolts, {loaded.sum()} of them under more than a tenth of "
          f"{reference[far].max():.4e}")
    return far, loaded


def differences(reference, found, which):
    for name, values in found.items():
        difference = np.abs(von_mises(values) / reference - 1)
        words = [f"{np.median(difference[of]):.3e} {np.quantile(difference[of], 0.9):.3e} {difference[of].max():.3e}"
                 for of in which]
        print(f"{name}: all {words[0]}, loaded {words[1]}")


def compare(theirs, ours):
    places, moved, stress = result(theirs)
    nodes, displacements, recovered, cells = frame(ours)
    match = same(nodes, places)  # nodes shared by ranks occur once per rank in a frame
    one = np.unique(match, return_index=True)[1]
    assert len(one) == len(places), "nodes are missing: is it the same mesh?"
    nodes, displacements, recovered, cells = nodes[one], displacements[one], recovered[one], match[cells]
    print(f"displacements differ by {np.abs(displacements - moved).max() / np.abs(moved).max():.1e} of the largest one")
    reference = von_mises(stress)
    found = {"recovered": recovered, "extrapolated": extrapolated(nodes, displacements, cells)}
    differences(reference, found, groups(nodes, reference))


def truth(ours, fine):
    nodes, displacements, recovered, cells = frame(ours)
    places, _, stress, _ = frame(fine)
    places, one = np.unique(np.round(places, 9), axis=0, return_index=True)
    reference = von_mises(stress[one][same(nodes, places)])
    found = {"recovered": recovered, "extrapolated": extrapolated(nodes, displacements, cells)}
    differences(reference, found, groups(nodes, reference))


if __name__ == "__main__":
    modes = {("deck", 3): deck, ("compare", 4): compare, ("truth", 4): truth}
    if mode := modes.get((sys.argv[1] if len(sys.argv) > 1 else "", len(sys.argv))):
        mode(*sys.argv[2:])
    else:
        sys.exit(__doc__)
