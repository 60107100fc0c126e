"""python3 same_frames.py <folder>: <case>.pvd and <case>.vtkhdf.series must contain the same frames in both formats.

The last frames must have equal arrays, and cells in VTK's numbering: from degree 2 on (the last letter of the case) the
volume of the deformed body is that of the polynomial displacement. Exit code 77: no VTK, or no HDF5 in gearshift.
"""
import json
import pathlib
import sys
import xml.etree.ElementTree

try:
    import numpy as np
    from vtkmodules.util.numpy_support import vtk_to_numpy
    from vtkmodules.vtkCommonCore import reference
    from vtkmodules.vtkCommonDataModel import vtkUnstructuredGrid
    from vtkmodules.vtkFiltersVerdict import vtkCellSizeFilter
    from vtkmodules.vtkIOHDF import vtkHDFReader
    from vtkmodules.vtkIOXML import vtkXMLPUnstructuredGridReader, vtkXMLUnstructuredGridReader

    sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "src/app"))
    from picture.surface import grid_of
except ImportError as missing:
    print(f"skipped: {missing}")
    sys.exit(77)


def require(good, text):
    if not good:
        print(f"error: {text}")
        sys.exit(1)


def read(reader, file):
    reader.SetFileName(str(file))
    grid = vtkUnstructuredGrid()
    grid.DeepCopy(grid_of(reader))
    require(grid.GetNumberOfCells() > 0, f"{file} has no cells")
    return grid


def last_of_pvd(folder, case):
    item = list(xml.etree.ElementTree.parse(folder / f"{case}.pvd").iter("DataSet"))[-1]
    file = folder / item.get("file")
    reader = vtkXMLPUnstructuredGridReader if file.suffix == ".pvtu" else vtkXMLUnstructuredGridReader
    return float(item.get("timestep")), read(reader(), file)


def last_of_series(folder, case):
    series = json.loads((folder / f"{case}.vtkhdf.series").read_text())
    require(series["file-series-version"] == "1.0", "version of the series")
    item = series["files"][-1]
    reader = vtkHDFReader()
    require(reader.CanReadFile(str(folder / item["name"])), f"VTK cannot read {item['name']}")
    return item["time"], read(reader, folder / item["name"])


def arrays(grid):
    cells = grid.GetCells()
    found = {"points": grid.GetPoints().GetData(), "connectivity": cells.GetConnectivityArray(),
             "offsets": cells.GetOffsetsArray(), "types": grid.GetCellTypesArray()}
    for kind, data in ("point ", grid.GetPointData()), ("cell ", grid.GetCellData()):
        found |= {kind + data.GetArrayName(i): data.GetArray(i) for i in range(data.GetNumberOfArrays())}
    return {name: vtk_to_numpy(array) for name, array in found.items()}


def quadrature(cell_type):
    """Returns points of a cell in VTK's parameters, with weights."""
    x, w = np.polynomial.legendre.leggauss(6)
    x, w = (x + 1) / 2, w / 2
    grid = [(a, b, c, wa * wb * wc) for a, wa in zip(x, w) for b, wb in zip(x, w) for c, wc in zip(x, w)]
    if cell_type == 71:  # tetrahedra
        return [((a, b * (1 - a), c * (1 - a) * (1 - b)), w * (1 - a) ** 2 * (1 - b)) for a, b, c, w in grid]
    if cell_type == 73:  # wedges
        return [((a, b * (1 - a), c), w * (1 - a)) for a, b, c, w in grid]
    return [((a, b, c), w) for a, b, c, w in grid]


def volume(grid):
    """Returns the volume of the deformed cells, by VTK's own interpolation; differences give the Jacobians."""
    moved = vtkUnstructuredGrid()
    moved.DeepCopy(grid)
    points = vtk_to_numpy(moved.GetPoints().GetData())
    points += vtk_to_numpy(moved.GetPointData().GetArray("displacement"))
    total, h = 0.0, 1e-3
    for number in range(moved.GetNumberOfCells()):
        cell = moved.GetCell(number)
        weights = [0.0] * cell.GetNumberOfPoints()

        def place(xi):
            at = [0.0] * 3
            cell.EvaluateLocation(reference(0), list(xi), at, weights)
            return np.array(at)

        for xi, weight in quadrature(cell.GetCellType()):
            steps = h * np.eye(3)
            jacobian = [(place(xi + step) - place(xi - step)) / (2 * h) for step in steps]
            total += weight * np.linalg.det(jacobian)
    return total


def sizes(grid):
    filter = vtkCellSizeFilter()
    filter.SetInputData(grid)
    filter.Update()
    return vtk_to_numpy(filter.GetOutput().GetCellData().GetArray("Volume"))


folder = pathlib.Path(sys.argv[1])
cases = [file.stem for file in sorted(folder.glob("*.pvd"))]
require(len(cases) == 8, f"cases: {cases}")
if not list(folder.glob("*.series")):
    print("skipped: gearshift was built without HDF5")
    sys.exit(77)
for case in cases:
    t_vtu, vtu = last_of_pvd(folder, case)
    t_hdf, hdf = last_of_series(folder, case)
    require(t_vtu == t_hdf, f"{case}: times {t_vtu} and {t_hdf}")
    one, other = arrays(vtu), arrays(hdf)
    require(set(one) == set(other), f"{case}: {sorted(one)} but {sorted(other)}")
    for name in one:
        require(one[name].shape == other[name].shape, f"{case}: {name} is {one[name].shape} but {other[name].shape}")
        require(np.array_equal(one[name], other[name]), f"{case}: {name}")
        require(one[name].dtype == other[name].dtype, f"{case}: {name} is {one[name].dtype} but {other[name].dtype}")
    require(np.allclose(sizes(vtu), sizes(hdf), rtol=1e-12), f"{case}: volumes of cells")
    require(abs(sizes(hdf).sum() - 2) < 1e-9, f"{case}: volume {sizes(hdf).sum()} of the body")
    if int(case[-1]) > 1:
        v = volume(hdf)
        require(abs(v - 2.52) < 1e-5, f"{case}: volume {v} of the deformed body, not 2.52")
print(f"{len(cases)} cases are the same in both formats")
