#!/usr/bin/env python3
"""Writes the CalculiX input of the press fit, the ball and the bolt, and prints CalculiX' results.

  gmsh -3 bolt.geo -order 2 -setnumber Mesh.SecondOrderIncomplete 1 -format inp -o mesh.inp
  calculix.py bolt mesh.inp > bolt.inp       then: ccx bolt
  calculix.py results bolt.dat               sums of the forces on sets of nodes, mean displacements

The same for `fit` and `ball`. Cells of second order, contact between surfaces, whose stiffness is given below.
"""
import sys

# Corners of the faces of tetrahedra and hexahedra.
FACES = {10: ((0, 1, 2), (0, 3, 1), (1, 3, 2), (2, 3, 0)),
         20: ((0, 1, 2, 3), (4, 7, 6, 5), (0, 4, 5, 1), (1, 5, 6, 2), (2, 6, 7, 3), (3, 7, 4, 0))}


def read(path):
    """Returns the points of the cells, the cells of each volume, and the nodes of each face."""
    points, elements, groups = {}, {}, {}  # elements: the type and the nodes
    rows, use = [], None

    def take_elements(kind):
        def take(rows):
            numbers, size = [n for row in rows for n in row], int(kind.rstrip("R")[3:])
            for i in range(0, len(numbers), size + 1):
                elements[numbers[i]] = kind[:3], numbers[i + 1:i + 1 + size]
        return take

    for line in [*open(path), "*END"]:
        words = [word.strip() for word in line.split(",") if word.strip()]
        if not line.startswith("*"):
            if use:
                rows.append([float(w) if "." in w or "e" in w else int(w) for w in words])
            continue
        if use:
            use(rows)
        rows, use = [], None
        keys = {key.strip().upper(): value for key, value in (word.split("=") for word in words[1:])}
        if words[0] == "*NODE":
            use = lambda rows: points.update({row[0]: row[1:] for row in rows})
        elif words[0] == "*ELEMENT":
            use = take_elements(keys["TYPE"])
        elif words[0] == "*ELSET":
            use = lambda rows, name=keys["ELSET"]: groups.update({name: [n for row in rows for n in row]})
    parts, nodes = {}, {}
    for name, numbers in groups.items():
        if elements[numbers[0]][0] == "C3D":
            parts[name] = {n: elements[n][1] for n in numbers}
        else:
            nodes[name] = sorted({node for n in numbers for node in elements[n][1]})
    used = {node for part in parts.values() for cell in part.values() for node in cell}
    return {n: points[n] for n in sorted(used)}, parts, nodes


def model(path, moduli, pairs, stiffness, boundary, step):
    """Prints a model. pairs: the slave and the master face; moduli: E by part; step: text."""
    points, parts, nodes = read(path)
    print("*NODE, NSET=ALL")
    for node, x in points.items():
        print(node, *(f"{c:.15g}" for c in x), sep=",")
    for name, part in parts.items():
        if name not in moduli:
            continue
        size = len(next(iter(part.values())))
        print(f"*ELEMENT, TYPE=C3D{size}, ELSET={name}")
        for number, cell in part.items():
            print(number, *cell[:10], sep=",", end=",\n" if size > 10 else "\n")
            if size > 10:
                print(*cell[10:], sep=",")
    for name, group in nodes.items():
        if group:
            print(f"*NSET, NSET={name}", *group, sep="\n")
    for face in sorted({face for pair in pairs for face in pair}):
        print(f"*SURFACE, NAME=S_{face}, TYPE=ELEMENT")
        on = set(nodes[face])
        for name in moduli:
            for number, cell in parts[name].items():
                for k, corners in enumerate(FACES[len(cell)]):
                    if all(cell[i] in on for i in corners):
                        print(f"{number},S{k + 1}")
    for name, E in moduli.items():
        print(f"*MATERIAL, NAME=M_{name}\n*ELASTIC\n{E},0.3\n*SOLID SECTION, ELSET={name}, MATERIAL=M_{name}")
    print(f"*SURFACE INTERACTION, NAME=CONTACT\n*SURFACE BEHAVIOR, PRESSURE-OVERCLOSURE=LINEAR\n{stiffness},0.001")
    for slave, master in pairs:
        print(f"*CONTACT PAIR, INTERACTION=CONTACT, TYPE=SURFACE TO SURFACE\nS_{slave},S_{master}")
    print("*BOUNDARY", *boundary, sep="\n")
    print(step)


def static(boundary, sets, increments="0.1,1.", large=True):
    text = f"*STEP{', NLGEOM' if large else ''}, INC=400\n*STATIC\n{increments}\n*BOUNDARY\n" + "\n".join(boundary)
    for name, what in sets.items():
        totals = ", TOTALS=ONLY" if what == "RF" else ""
        text += f"\n*NODE PRINT, NSET={name}, FREQUENCY=400{totals}\n{what}"
    return text + "\n*END STEP"


def fit(path):
    model(path, {"inner": 70e3, "outer": 210e3}, [("inner_outside", "outer_bore")], 1e7,
          ["plane_x,1", "plane_y,2", "inner_ends,3", "outer_ends,3"], static([], {"plane_x": "U"}))


def ball(path):
    model(path, {"ball": 2e4, "plate": 2e5}, [("ball_skin", "plate_bottom")], 1e6, ["plane_x,1", "plane_y,2", "plane_z,3"],
          static(["plate_top,3,3,-0.5"], {"plane_z": "RF"}, large=False))


def bolt(path):
    pull = static(["tip,3,3,-0.02", "tip,1,1,0."], {"tip": "RF"})
    push = static(["tip,3,3,-0.02", "tip,1,1,0.4"], {"tip": "RF"}, "0.05,1.,1e-5,0.05")
    model(path, {"bolt": 210e3, "plate": 70e3}, [("shaft", "hole"), ("head", "plate_top")], 1e6, ["middle,2", "sides,1,3"],
          pull + "\n" + push)


def results(path):
    rows = [line.split() for line in open(path)]
    for i, words in enumerate(rows):
        if words[:2] == ["total", "force"]:
            print(*words[2:], rows[i + 2])
        elif words[:1] == ["displacements"]:
            print(*words[:4])
            for row in rows[i + 2:]:
                if len(row) != 4:
                    break
                print(*row)


if __name__ == "__main__":
    {"fit": fit, "ball": ball, "bolt": bolt, "results": results}[sys.argv[1]](*sys.argv[2:])
