"""Draws polygons by gnuplot."""
import json
import math
import subprocess

from .camera import axes_of
from .folder import give_up
from .shapes import features


class Plot:
    """Like Drawing, but by gnuplot: polygons drawn in the order of their depth."""

    palette = [(0x44, 0x01, 0x54), (0x3b, 0x52, 0x8b), (0x21, 0x91, 0x8c), (0x5e, 0xc9, 0x62), (0xfd, 0xe7, 0x25)]

    def __init__(self, one, legend, scale, view, outline, edges):
        self.axes, self.scale, self.legend, self.outline = axes_of(view), scale, legend, outline
        self.border = "border linecolor rgb '#404040'" if edges else "noborder"
        finite = [value for value in one.values if math.isfinite(value)] or [0]
        self.low, self.high = min(finite), max(finite)
        if self.low == self.high:
            self.high = self.low + 1

    def seen(self, point):
        return [sum(a * x for a, x in zip(axis, point)) for axis in self.axes]

    def colour(self, value, ring):
        place = (value - self.low) / (self.high - self.low) * (len(self.palette) - 1) if math.isfinite(value) else 0
        i = min(int(place), len(self.palette) - 2)
        mixed = [a + (place - i) * (b - a) for a, b in zip(self.palette[i], self.palette[i + 1])]
        a, b, c = ring[0], ring[len(ring) // 3], ring[2 * len(ring) // 3]
        u, v = [x - y for x, y in zip(b, a)], [x - y for x, y in zip(c, a)]
        normal = [u[i - 2] * v[i - 1] - u[i - 1] * v[i - 2] for i in range(3)]
        size, light = math.hypot(*normal), (-0.3, 0.5, 0.8)
        shade = abs(sum(x * y for x, y in zip(normal, light))) / size / math.hypot(*light) if size else 1
        return "#" + "".join(f"{int(part * (0.55 + 0.45 * shade)):02x}" for part in mixed)

    def draw(self, one, title, output):
        rings = [[self.seen([x + self.scale * d for x, d in zip(*node)]) for node in zip(*face)]
                 for face in zip(one.positions, one.displacements)]
        outline = features(one.positions, one.size) if self.outline else []
        lines = [[self.seen(point)[:2] for point in edge] for edge in outline]
        every = [point[:2] for ring in rings for point in ring] + [point for line in lines for point in line]
        low, high = ([limit(x) for x in zip(*every)] for limit in (min, max))
        margin = 0.05 * max(b - a for a, b in zip(low, high))
        width, height = (b - a + 2 * margin for a, b in zip(low, high))
        magnified = "" if self.scale == 1 else f", displacement x {self.scale:g}"
        stops = ", ".join(f"{i} '#{r:02x}{g:02x}{b:02x}'" for i, (r, g, b) in enumerate(self.palette))
        quoted = lambda words: json.dumps(words, ensure_ascii=False)
        output.unlink(missing_ok=True)
        rows = int(min(max(744 * height / width, 264), 960)) + 96
        text = ["set encoding utf8", f"set terminal pngcairo size 960,{rows}",
                f"set output {quoted(str(output))}", f"set title {quoted(title + magnified)} noenhanced",
                f"set xrange [{low[0] - margin}:{high[0] + margin}]",
                f"set yrange [{low[1] - margin}:{high[1] + margin}]",
                "set size ratio -1", "unset border", "unset tics", "unset key", f"set palette defined ({stops})",
                f"set cbrange [{self.low}:{self.high}]", "set cbtics",
                f"set cblabel {quoted(self.legend.text(one))} noenhanced"]
        text += ["$lines << END", *("\n".join(f"{x} {y}" for x, y in line) + "\n" for line in lines), "END"]
        order = sorted(range(len(rings)), key=lambda i: sum(point[2] for point in rings[i]) / len(rings[i]))
        for count, i in enumerate(order, 1):
            corners = " to ".join(f"{x},{y}" for x, y, _ in rings[i] + rings[i][:1])
            colour = self.colour(one.values[i], rings[i])
            text.append(f"set object {count} polygon from {corners} fillstyle solid {self.border} "
                        f"fillcolor rgb '{colour}' front")
        text.append("plot $lines with lines linecolor rgb '#808080', '+' using (NaN):(NaN):(0) with points palette"
                    if lines else "plot '+' using (NaN):(NaN):(0) with points palette")
        done = subprocess.run(["gnuplot"], input="\n".join(text) + "\n", capture_output=True, encoding="utf-8")
        if done.returncode or not output.exists():
            give_up(f"gnuplot: {done.stderr.strip() or 'no picture'}")
