"""Draws a surface with light and smooth colours."""
import textwrap

import matplotlib
import numpy as np
from matplotlib import colors, pyplot

from .camera import axes_of
from .shapes import features

matplotlib.use("Agg")


class Drawing:
    """An orthographic view along a direction, with a headlight and a soft light from the upper left."""

    fine = 2  # pixels are a mean over fine x fine points

    def __init__(self, surfaces, legend, scale, view, outline, swings=False, dpi=120):
        self.axes = np.array(axes_of(view))
        self.scale, self.outline = scale, features(surfaces[0].positions, surfaces[0].size) if outline else []
        self.legend = legend
        finite = np.concatenate([surface.values[np.isfinite(surface.values)] for surface in surfaces])
        low, high = (finite.min(), finite.max()) if finite.size else (0, 1)
        self.colours = pyplot.cm.ScalarMappable(colors.Normalize(low, high if high > low else low + 1), "viridis")
        flat = np.concatenate([self.project(surface, factor)[..., :2].reshape(-1, 2)
                               for surface in surfaces
                               for factor in ([1, -1] if swings else [1]) + ([0] if outline else [])])
        size = flat.max(axis=0) - flat.min(axis=0)
        margin = 0.02 * size.max()
        self.limits = np.array([flat.min(axis=0) - margin, flat.max(axis=0) + margin])
        size = size + 2 * margin
        inches = size * min(6.6 / size[0], 6.2 / size[1])  # of the body; text above and below it
        self.pixels = np.round(inches * dpi / 2).astype(int) * 2
        inches = self.pixels / dpi
        room = np.maximum(inches, [3.6, 2.4])
        width, height = np.round((room + [1.4, 0.75]) * dpi) / dpi
        self.figure = pyplot.figure(figsize=(width, height), dpi=dpi)
        per_size = lambda x, y: [round(x * dpi) / dpi / width, round(y * dpi) / dpi / height]  # whole pixels
        place = lambda x, y, w, h: self.figure.add_axes(per_size(x, y) + [w / width, h / height])
        self.plane = place((room[0] - inches[0]) / 2, 0.4 + (room[1] - inches[1]) / 2, *inches)
        bar = place(room[0] + 0.2, 1.6, 0.17, room[1] - 1.25)
        text = textwrap.fill(legend.text(surfaces[0]), round(12 * (room[1] - 0.5)), break_long_words=False)
        self.figure.colorbar(self.colours, cax=bar, label=text)
        self.middle, self.inches = room[0] / 2 / width, (width, height)
        self.triad(place(room[0] + 0.2, 0.35, 1, 1))

    def triad(self, plane):
        """Draws the directions of x, y and z; the farthest first."""
        lengths = np.hypot(*self.axes[:2])
        for i in np.argsort(self.axes[2]):
            x, y = self.axes[:2, i]
            if lengths[i] < 0.05:
                continue
            plane.annotate("", (x, y), (0, 0), arrowprops=dict(arrowstyle="-|>", color="0.2", shrinkA=0, shrinkB=0))
            along = self.axes[:2].T @ (x, y) / lengths[i]
            behind = any(along[j] > max(lengths[i], 0.9 * lengths[j]) for j in range(3) if j != i)
            far = np.array([x, y]) * (1 if behind else 1 + 0.3 / lengths[i])
            aside = 0.35 / lengths[i] * np.array([-y, x]) * behind  # of a longer axis' name
            plane.text(*(far + aside), "xyz"[i], ha="center", va="center", fontsize=9)
        plane.set(xlim=(-1.5, 1.5), ylim=(-1.5, 1.5), aspect="equal")
        plane.set_axis_off()

    def project(self, surface, factor=1):
        return (surface.positions + factor * self.scale * surface.displacements) @ self.axes.T

    def in_picture(self, points):
        """Replaces projected positions by points of the image, which have the same depths."""
        points[..., :2] = (points[..., :2] - self.limits[0]) / (self.limits[1] - self.limits[0]) \
            * (self.fine * self.pixels) - 0.5

    def lines(self, surface, factor, depth):
        """Returns the points of the image at which an edge of a cell is visible."""
        rows, columns = depth.shape
        marked = np.zeros(depth.shape, bool)
        for positions, displacements in surface.curves:
            points = (positions + factor * self.scale * displacements) @ self.axes.T
            self.in_picture(points)
            places = np.linspace(0, 1, points.shape[1])
            lengths = np.linalg.norm(np.diff(points[..., :2], axis=1), axis=2).sum(axis=1)
            powers = np.ceil(np.log2(np.maximum(2 * lengths, 4))).astype(int)
            for power in np.unique(powers):
                between = np.linspace(0, 1, 2 ** power)
                weights = np.ones((len(between), len(places)))  # Lagrange's polynomials
                for i, j in np.argwhere(~np.eye(len(places), dtype=bool)):
                    weights[:, i] *= (between - places[j]) / (places[i] - places[j])
                some = np.flatnonzero(powers == power)
                for part in np.array_split(some, len(some) * len(between) // 1000000 + 1):
                    x, y, z = np.einsum("ij,ejc->cei", weights, points[part]).reshape(3, -1)
                    column, row = np.floor(x).astype(int), np.floor(y).astype(int)
                    inside = (column >= 0) & (column < columns - 1) & (row >= 0) & (row < rows - 1)
                    column, row, z = column[inside], row[inside], z[inside]
                    near = z > depth[row, column] - 0.005 * surface.size
                    for i, j in (0, 0), (0, 1), (1, 0), (1, 1):
                        marked[row[near] + i, column[near] + j] = True
        return marked

    def image(self, surface, factor):
        """Returns the picture of the body, with its depths."""
        columns, rows = self.fine * self.pixels
        seen = self.project(surface, factor)
        normals = surface.normals(seen)
        normals *= np.where(normals[..., 2:] < 0, -1, 1)
        soft = np.array([-0.6, 0.7, 0.4])
        light = 0.5 + 0.35 * normals[..., 2] + 0.2 * np.clip(normals @ soft, 0, None)
        self.in_picture(seen)
        low = np.maximum(np.ceil(seen[..., :2].min(axis=1)), 0).astype(int)
        high = np.minimum(np.floor(seen[..., :2].max(axis=1)), [columns - 1, rows - 1]).astype(int)
        span = np.maximum(high - low + 1, 0)
        depth = np.full(columns * rows, -np.inf)
        value, shade = np.zeros(columns * rows), np.zeros(columns * rows)
        counts = span.prod(axis=1)
        parts = np.split(np.arange(len(counts)), np.flatnonzero(np.diff(np.cumsum(counts) // 2000000)) + 1)
        for part in parts:
            t = np.repeat(part, counts[part])
            i = np.arange(len(t)) - np.repeat(np.cumsum(counts[part]) - counts[part], counts[part])
            at = low[t] + np.stack([i % span[t, 0], i // span[t, 0]], axis=1)
            a, b, c = (seen[t, j, :2] - at for j in range(3))
            area = lambda u, v: u[:, 0] * v[:, 1] - u[:, 1] * v[:, 0]
            weights = np.stack([area(b, c), area(c, a), area(a, b)], axis=1)
            total = weights.sum(axis=1)
            inside = (total != 0) & ((weights * np.sign(total)[:, None]) >= -1e-9 * np.abs(total)[:, None]).all(axis=1)
            t, at, weights = t[inside], at[inside], weights[inside] / total[inside, None]
            pixel = at[:, 1] * columns + at[:, 0]
            z = (weights * seen[t, :, 2]).sum(axis=1)
            order = np.argsort(z, kind="stable")
            order = order[z[order] > depth[pixel[order]]]
            pixel, t, weights = pixel[order], t[order], weights[order]  # of equal pixels the last, nearest one stays
            depth[pixel] = z[order]
            value[pixel] = (weights * surface.values[t]).sum(axis=1)
            shade[pixel] = (weights * light[t]).sum(axis=1)
        colour = self.colours.to_rgba(abs(factor) * value)
        colour[:, :3] = np.clip(colour[:, :3] * shade[:, None], 0, 1)
        if surface.curves:
            colour[self.lines(surface, factor, depth.reshape(rows, columns)).reshape(-1), :3] *= 0.3
        colour[np.isinf(depth)] = 0
        colour[:, :3] *= colour[:, 3:]
        colour = colour.reshape(self.pixels[1], self.fine, self.pixels[0], self.fine, 4).mean(axis=(1, 3))
        colour[..., :3] /= np.where(colour[..., 3:] > 0, colour[..., 3:], 1)
        return colour, depth.reshape(rows, columns)

    def draw(self, surface, title, factor=1):
        self.plane.clear()
        for text in list(self.figure.texts):
            text.remove()
        for edge in self.outline:
            self.plane.plot(*(np.array(edge) @ self.axes.T)[:, :2].T, color="0.5", linewidth=0.8, zorder=0)
        colour, depth = self.image(surface, factor)
        extent = self.limits.T.reshape(-1)
        self.plane.imshow(colour, origin="lower", extent=extent, interpolation="none", zorder=1)
        self.mark_maximum(surface, factor, depth)
        self.plane.set(xlim=self.limits[:, 0], ylim=self.limits[:, 1], aspect="equal")
        self.plane.set_axis_off()
        magnified = "" if self.scale == 1 else f", displacement x {self.scale:g}"
        top = 1 - 0.2 / self.inches[1]
        self.figure.text(self.middle, top, title + magnified, ha="center", va="center", fontsize=11)

    def mark_maximum(self, surface, factor, depth):
        """Marks the maximum value on the surface by a ball, or by a ring if it is hidden."""
        values = np.where(np.isfinite(surface.values), surface.values, -np.inf)
        top = values.max()
        if not np.isfinite(top) or factor == 0:
            return
        seen = self.project(surface, factor)
        equal = values >= top - 1e-6 * abs(top)
        nearest = np.where(equal, np.round(seen[..., 2] / surface.size, 4), -np.inf)
        x, y, z = seen.reshape(-1, 3)[nearest.argmax()]
        part = (np.array([x, y]) - self.limits[0]) / (self.limits[1] - self.limits[0])
        column, row = (part * depth.shape[::-1]).astype(int)
        hidden = depth[max(row - 2, 0):row + 3, max(column - 2, 0):column + 3].min() > z + 0.01 * surface.size
        if hidden:
            for colour, edge in ("white", 3), ("crimson", 1.5):
                self.plane.plot(x, y, "o", markersize=9, fillstyle="none", color=colour, markeredgewidth=edge, zorder=3)
        else:
            for i, tone in enumerate(np.linspace(0, 1, 8)):  # a ball, lit from the upper left
                colour = np.array([0.5, 0, 0.1]) + tone * np.array([0.5, 0.55, 0.55])
                self.plane.plot(x, y, "o", markersize=8 - i, color=colour, markeredgewidth=0, zorder=3 + i,
                                transform=self.plane.transData
                                + matplotlib.transforms.Affine2D().translate(-0.15 * i, 0.15 * i))
        mark, note = ("○", ", hidden") if hidden else ("●", "")
        value = f"{abs(factor) * top:.4g} {self.legend.unit}".rstrip()
        words = f"{mark} maximum {self.legend.label} on the surface{note}: {value}"
        width, height = self.inches
        self.figure.text(0.12 / width, 0.2 / height, words, va="center", color="crimson", fontsize=10.5)
