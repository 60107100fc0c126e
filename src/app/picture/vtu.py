"""Reads VTU files of gearshift-solid without VTK."""
import array
import re
import sys
import xml.etree.ElementTree

from .folder import give_up, reason_of


def pieces_of(file):
    """Returns the VTU files of a frame."""
    if file.suffix == ".vtu":
        return [file]
    if file.suffix != ".pvtu":
        give_up(f"{file}: gnuplot can draw only frames of the format vtu; install python3-vtk9 and python3-matplotlib")
    try:
        return [file.parent / piece.get("Source") for piece in xml.etree.ElementTree.parse(file).iter("Piece")]
    except (OSError, TypeError, xml.etree.ElementTree.ParseError) as problem:
        give_up(f"{file} cannot be read: {reason_of(problem)}")


def arrays_of(file, wanted=None):
    """Returns the arrays of a VTU file of gearshift-solid by name: the numbers (None if not wanted), the number of
    components, and whether the array belongs to cells."""
    try:
        head, _, data = file.read_bytes().partition(b'<AppendedData encoding="raw">\n_')
    except OSError as problem:
        give_up(f"{file} cannot be read: {reason_of(problem)}")
    codes = {"Float64": "d", "Float32": "f", "Int64": "q", "Int32": "i", "UInt8": "B"}
    found, of_cells = {}, False
    for tag in re.findall(r"<(?:DataArray [^>]*|/?CellData[^>]*)>", head.decode("utf-8", "replace")):
        if "CellData" in tag:
            of_cells = not tag.startswith("</")
            continue
        key = dict(re.findall(r'(\w+)="([^"]*)"', tag))
        try:
            numbers, start = None, int(key["offset"])
            if wanted is None or key["Name"] in wanted:
                numbers = array.array(codes[key["type"]])
                size = int.from_bytes(data[start:start + 8], "little")
                numbers.frombytes(data[start + 8:start + 8 + size])
                if sys.byteorder != "little":
                    numbers.byteswap()
        except (KeyError, ValueError):
            give_up(f"{file} cannot be read: gearshift-solid has not written it")
        found[key["Name"]] = numbers, int(key.get("NumberOfComponents", 1)), of_cells
    return found
