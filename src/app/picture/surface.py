"""The surface of a frame, by VTK."""
import math

import numpy as np
from vtkmodules.util.numpy_support import vtk_to_numpy
from vtkmodules.vtkFiltersCore import vtkAppendFilter, vtkTriangleFilter
from vtkmodules.vtkFiltersGeometry import vtkDataSetSurfaceFilter
from vtkmodules.vtkIOHDF import vtkHDFReader
from vtkmodules.vtkIOXML import vtkXMLPUnstructuredGridReader, vtkXMLUnstructuredGridReader

from .folder import give_up
from .shapes import CORNERS, edges_of


def reader_of(file):
    """Returns a reader that has read the names of the frame's fields, but not their values."""
    if not file.exists():
        give_up(f"{file} cannot be read: there is no such file")
    readers = {".pvtu": vtkXMLPUnstructuredGridReader, ".vtkhdf": vtkHDFReader}
    reader = readers.get(file.suffix, vtkXMLUnstructuredGridReader)()
    reader.SetFileName(str(file))
    reader.UpdateInformation()
    return reader


def grid_of(reader):
    """Returns the frame as one grid. VTK 9.5 and newer keep the parts of a VTKHDF file apart."""
    reader.Update()
    read = reader.GetOutput()
    if not hasattr(read, "GetNumberOfPartitions"):
        return read
    together = vtkAppendFilter()
    for i in range(read.GetNumberOfPartitions()):
        together.AddInputData(read.GetPartition(i))
    together.Update()
    return together.GetOutput()


def curves_of(grid):
    """Returns the nodes on the edges of the cells, once for each edge: an array for each number of nodes."""
    nodes = vtk_to_numpy(grid.GetCells().GetConnectivityArray())
    starts = vtk_to_numpy(grid.GetCells().GetOffsetsArray())
    types, counts = vtk_to_numpy(grid.GetCellTypesArray()), np.diff(starts)
    found = {}
    for kind, count in np.unique(np.stack([types, counts], axis=1), axis=0):
        if kind not in CORNERS:
            continue
        cells = nodes[starts[:-1][(types == kind) & (counts == count)][:, None] + np.arange(count)]
        edges = np.array(edges_of(CORNERS[kind], count))
        found.setdefault(edges.shape[1], []).append(cells[:, edges].reshape(-1, edges.shape[1]))
    curves = []
    for parts in found.values():
        all_of_them = np.concatenate(parts)
        ends = np.sort(all_of_them[:, [0, -1]], axis=1)
        curves.append(all_of_them[np.unique(ends, axis=0, return_index=True)[1]])
    return curves


class Surface:
    """The triangles of a frame's surface: reference positions and displacements at their corners, and field values;
    and if wanted, the nodes on the edges of the cells."""

    def __init__(self, file, field, edges=False):
        reader = reader_of(file)
        grid = grid_of(reader)
        if reader.GetErrorCode() or grid.GetNumberOfCells() == 0:
            give_up(f"{file} cannot be read")
        skin, triangles = vtkDataSetSurfaceFilter(), vtkTriangleFilter()
        skin.SetInputData(grid)
        skin.SetNonlinearSubdivisionLevel(3 if grid.GetNumberOfCells() < 1000 else 2)
        triangles.SetInputConnection(skin.GetOutputPort())
        triangles.Update()
        data = triangles.GetOutput()
        known = {arrays.GetArrayName(i): arrays.GetArray(i)
                 for arrays in (data.GetPointData(), data.GetCellData()) for i in range(arrays.GetNumberOfArrays())}
        at_rest = file.stem == "envelope"
        for name in [field] if at_rest else ["displacement", field]:
            if name not in known:
                give_up(f"{file} has no field '{name}', but {', '.join(known)}; "
                        f"see {'-envelope' if at_rest else '-fields'} of gearshift-solid")
        points = vtk_to_numpy(data.GetPoints().GetData()).astype(float)
        corners = vtk_to_numpy(data.GetPolys().GetData()).reshape(-1, 4)[:, 1:]
        values = vtk_to_numpy(known[field]).astype(float)
        self.components = known[field].GetNumberOfComponents()
        if values.ndim > 1:
            values = np.linalg.norm(values, axis=1)
        self.size = np.linalg.norm(points.max(axis=0) - points.min(axis=0))
        self.positions = points[corners]
        displacements = np.zeros_like(points) if at_rest else vtk_to_numpy(known["displacement"])
        self.displacements = displacements[corners]
        self.values = values[corners] if data.GetPointData().HasArray(field) else np.repeat(values[:, None], 3, axis=1)
        places = np.unique(np.round(points / (1e-5 * (self.size or 1))).astype(int), axis=0, return_inverse=True)[1]
        self.places = places.reshape(-1)[corners]  # the same number for all points at the same place
        self.curves = []
        if edges:
            points = vtk_to_numpy(grid.GetPoints().GetData()).astype(float)
            moves = np.zeros_like(points) if at_rest else vtk_to_numpy(grid.GetPointData().GetArray("displacement"))
            self.curves = [(points[nodes], moves[nodes]) for nodes in curves_of(grid)]

    def largest(self):
        return np.linalg.norm(self.displacements, axis=2).max()

    def normals(self, moved):
        """Returns unit normals at the corners: means over the neighbours, except over edges of more than 30 degrees."""
        flat = np.cross(moved[:, 1] - moved[:, 0], moved[:, 2] - moved[:, 0])
        lengths = np.linalg.norm(flat, axis=1)[:, None]
        unit = np.repeat(flat / np.where(lengths > 0, lengths, 1), 3, axis=0)
        flat, places = np.repeat(flat, 3, axis=0), self.places.reshape(-1)
        order = np.argsort(places, kind="stable")
        mean = flat.copy()
        for shift in range(1, np.bincount(places).max()):
            a, b = order[:-shift], order[shift:]
            near = (places[a] == places[b]) & ((unit[a] * unit[b]).sum(axis=1) > math.cos(math.radians(30)))
            mean[a[near]] += flat[b[near]]
            mean[b[near]] += flat[a[near]]
        lengths = np.linalg.norm(mean, axis=1)[:, None]
        return (mean / np.where(lengths > 0, lengths, 1)).reshape(-1, 3, 3)
