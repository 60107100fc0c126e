#!/usr/bin/python3
"""Draws the ring at several times, coloured by its von Mises stress, with the rod: plot.py RESULTS PICTURE"""
import pathlib
import re
import sys

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np
from vtkmodules.util.numpy_support import vtk_to_numpy
from vtkmodules.vtkFiltersGeometry import vtkDataSetSurfaceFilter
from vtkmodules.vtkIOXML import vtkXMLGenericDataObjectReader

TIMES = 0.004, 0.01, 0.016, 0.022
results, picture = pathlib.Path(sys.argv[1]), sys.argv[2]
series = re.findall(r'timestep="([^"]+)".*?file="([^"]+)"', (results / "solution.pvd").read_text())
figure, axes = plt.subplots(1, len(TIMES), figsize=(8, 2.8), sharey=True, layout="constrained")
for axis, time in zip(axes, TIMES):
    shown, name = min(series, key=lambda frame: abs(float(frame[0]) - time))
    reader = vtkXMLGenericDataObjectReader()
    reader.SetFileName(str(results / name))
    surface = vtkDataSetSurfaceFilter()
    surface.SetInputConnection(reader.GetOutputPort())
    surface.SetNonlinearSubdivisionLevel(2)
    surface.Update()
    body = surface.GetOutput()
    points = vtk_to_numpy(body.GetPoints().GetData())
    triangles = vtk_to_numpy(body.GetPolys().GetData()).reshape(-1, 4)[:, 1:]
    triangles = triangles[np.all(np.abs(points[triangles, 2]) < 1e-9, axis=1)]  # the end of the ring at z = 0
    place = points + vtk_to_numpy(body.GetPointData().GetArray("displacement"))
    stress = vtk_to_numpy(body.GetPointData().GetArray("von_mises"))
    colours = axis.tripcolor(place[:, 0], place[:, 1], triangles, 1e-7 * stress, shading="gouraud", vmin=0, vmax=0.04)
    axis.add_patch(plt.Circle((0.8, -3), 0.5, color="0.6"))
    axis.set(aspect="equal", xlim=(-3.7, 2.3), ylim=(-4, 2.5), title=f"t = {1e3 * float(shown):.0f} ms", xlabel="x [cm]")
axes[0].set_ylabel("y [cm]")
figure.colorbar(colours, ax=axes, label="von Mises stress [MPa]")  # 1 g/(cm s^2) = 1e-7 MPa
figure.savefig(picture, dpi=120)
