#!/usr/bin/python3
"""Draws the ring, coloured by its von Mises stress, with the rod: plot.py RESULTS PICTURE

A picture has four times; a file whose name ends with .gif is a movie of the frames up to 26 ms.
"""
import pathlib
import re
import sys

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np
from matplotlib.animation import FuncAnimation
from vtkmodules.util.numpy_support import vtk_to_numpy
from vtkmodules.vtkFiltersGeometry import vtkDataSetSurfaceFilter
from vtkmodules.vtkIOXML import vtkXMLGenericDataObjectReader

TIMES = 0.004, 0.01, 0.016, 0.022
results, picture = pathlib.Path(sys.argv[1]), sys.argv[2]
series = re.findall(r'timestep="([^"]+)".*?file="([^"]+)"', (results / "solution.pvd").read_text())


def draw(axis, time, name):
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
    axis.set(aspect="equal", xlim=(-3.7, 2.3), ylim=(-4, 2.5), title=f"t = {1e3 * float(time):.0f} ms", xlabel="x [cm]", ylabel="y [cm]")
    return colours


LEGEND = "von Mises stress [MPa]"  # 1 g/(cm s^2) = 1e-7 MPa
if picture.endswith(".gif"):
    series = [frame for frame in series if float(frame[0]) <= 0.026]  # later the ring leaves the picture
    figure, axis = plt.subplots(figsize=(4.6, 3.4))
    figure.subplots_adjust(left=0.12, right=0.95, bottom=0.15, top=0.91)
    figure.colorbar(draw(axis, *series[0]), label=LEGEND)

    def show(number):
        axis.clear()
        draw(axis, *series[number])

    FuncAnimation(figure, show, frames=len(series)).save(picture, fps=10, dpi=90)
else:
    figure, axes = plt.subplots(1, len(TIMES), figsize=(8, 2.8), sharey=True, layout="constrained")
    for axis, wanted in zip(axes, TIMES):
        colours = draw(axis, *min(series, key=lambda frame: abs(float(frame[0]) - wanted)))
        axis.label_outer()
    figure.colorbar(colours, ax=axes, label=LEGEND)
    figure.savefig(picture, dpi=120)
