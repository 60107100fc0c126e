"""The folder of results: its series of frames and its envelope."""
import dataclasses
import json
import sys
import xml.etree.ElementTree


def give_up(text):
    print(f"error: {text}", file=sys.stderr)
    sys.exit(1)


def reason_of(problem):
    """Returns the text of an error, for one of the operating system without its number and path."""
    return getattr(problem, "strerror", None) or problem


def series_of(folder):
    """Returns the name of the run's series of frames, in either format, or else that of its natural modes."""
    names = ["solution.pvd", "solution.vtkhdf.series", "modes.pvd", "modes.vtkhdf.series"]
    return next((name for name in names if (folder / name).exists()), names[0])


def frames_of(folder, name):
    """Returns (time, file) of all frames."""
    series = folder / name
    try:
        if series.suffix == ".series":
            found = [(item["time"], item["name"]) for item in json.loads(series.read_text())["files"]]
        else:
            found = [(item.get("timestep"), item.get("file"))
                     for item in xml.etree.ElementTree.parse(series).iter("DataSet")]
        frames = [(float(time), folder / file) for time, file in found]
    except (OSError, KeyError, TypeError, ValueError, xml.etree.ElementTree.ParseError) as problem:
        give_up(f"{series} cannot be read: {reason_of(problem)}; give the folder of a run with frames (-output_every)")
    if not frames:
        give_up(f"{series} has no frames yet")
    return frames


def is_static(folder):
    """Returns True if the frames are load steps: energy.csv of a static run begins with the column of loads."""
    try:
        return (folder / "energy.csv").read_text().startswith("load,")
    except OSError:
        return False


def envelope_of(folder):
    """Returns the file written by -envelope of gearshift-solid."""
    for name in "envelope.vtu", "envelope.pvtu", "envelope.vtkhdf":
        if (folder / name).exists():
            return folder / name
    give_up(f"{folder} has no envelope; run gearshift-solid with -envelope")


@dataclasses.dataclass
class Legend:
    """The full name of a field and its unit."""

    label: str
    unit: str

    def text(self, surface):
        """Returns the text of the colour bar."""
        return self.label + ", magnitude" * (surface.components > 1) + (f" [{self.unit}]" if self.unit else "")


def legend_of(folder, field, unit=None):
    """Returns the legend that gearshift-solid has written to the summary; without one, the name of the field."""
    try:
        summary = json.loads((folder / "summary.json").read_text(encoding="utf-8"))
    except (OSError, ValueError):  # the run has not ended, or another program has written the frames
        summary = {}
    return Legend(summary.get(f"label_{field}", field), summary.get(f"unit_{field}", "") if unit is None else unit)
