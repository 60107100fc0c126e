"""Balances that the results of a case must satisfy, and errors that decrease with steps and tolerances."""
import math
from dataclasses import replace

import quantities as q
from quantities import Frame, Profile, Words
from relations import probes, reference
from run import columns_of, read, summary


def forces_of(columns, row):
    """Returns the sum of the forces of forces.csv, and that of the moments, without those between bodies."""
    total = {"f": [0.0] * 3, "m": [0.0] * 3}
    for i, name in enumerate(columns):
        if name[-3:-1] in ("_f", "_m") and not name.startswith("pair_"):
            total[name[-2]]["xyz".index(name[-1])] += row[i]
    return total["f"], total["m"]


def largest_force(columns, rows, letter):
    where = [i for i, name in enumerate(columns) if name[-3:-1] == "_" + letter]
    return max((abs(row[i]) for row in rows for i in where), default=0.0)


def in_balance(runs, random):
    """Checks that supports and loads of a static solution cancel, including their moments."""
    del random
    elsewhere = ("gravity", "frame_", "force_a", "force_b", "force_tip")  # not in forces.csv
    if runs.case.kind != "static" or any(key.startswith(elsewhere) for key in runs.case.keys):
        return None
    laws = {value.text for key, value in runs.case.keys.items() if key in ("material", "material_r1")}
    turns = not ("linear_elastic" in laws and len(laws) > 1)  # small-strain moments refer to other positions
    columns, rows = runs.plain()["forces.csv"]
    found = []
    for row in rows:
        force, moment = forces_of(columns, row)
        scale = max(largest_force(columns, rows, "f"), 1e-4 * reference(runs.case, Frame(), q.FORCE))
        scale_of_moments = largest_force(columns, rows, "m") + scale * max(runs.case.mesh.size)
        for name, sums, size in (("force", force, scale), ("moment", moment, scale_of_moments))[:1 + turns]:
            if max(map(abs, sums)) > 1e-8 * size:
                found.append(f"forces.csv: sum of {name}s {max(map(abs, sums)):.3g} of {size:.3g}")
    return found


def impulse(runs, random):
    """Steps of order 1 change the momentum by dt times the sum of forces; the mass of gravity's force is fitted."""
    del random
    elsewhere = ("frame_", "force_a", "force_b", "force_tip", "base_", "mass_", "rayleigh_mass", "static_first",
                 "prescribe_")  # its accelerations are exact, not differences
    keys = runs.case.keys
    if runs.case.kind != "fixed" or any(part in key for key in keys for part in elsewhere):
        return None
    if "gear_rayleigh_stiffness" in keys and any(part in key for key in keys for part in ("pressure_", "follower_", "motor_", "foundation_", "contact_")):
        return None  # it damps the changes of these loads, too
    case = runs.case.with_keys(gear_family=Words("bdf"), gear_order=Words("1"), gear_rho_inf=None, csv_every=Words("1"))
    tables = runs.tables("impulse", case)
    columns, rows = tables["momentum.csv"]
    force_columns, force_rows = tables.get("forces.csv", (["t"], []))
    forces = {row[0]: forces_of(force_columns, row)[0] for row in force_rows}
    change = []
    for before, now in list(zip(rows, rows[1:]))[2:]:
        force = forces.get(now[0], [0.0] * 3)
        change.append((now[0], [(b - a) / (now[0] - before[0]) - f for a, b, f in zip(before[1:4], now[1:4], force)]))
    if not change:
        return None
    g = keys.get("gravity")
    if g and g.profile.kind == "record":
        return None
    weight = lambda t: [x * g.profile.at(t) for x in g.value] if g else [0.0] * 3
    if g:
        t, left = max(change, key=lambda c: max(map(abs, weight(c[0]))))
        mass = sum(a * b for a, b in zip(left, weight(t))) / sum(x * x for x in weight(t))
        change = [(t, [a - mass * b for a, b in zip(left, weight(t))]) for t, left in change]
    span = rows[-1][0] / (len(rows) - 1)
    scale = largest_force(force_columns, force_rows, "f") + max(abs(x) for row in rows for x in row[1:4]) / span
    scale = max(scale, 1e-4 * reference(runs.case, Frame(), q.FORCE))
    worst = max(abs(x) for _, left in change for x in left)
    return [f"momentum.csv: {worst:.3g} of {scale:.3g} without a force"] if worst > 1e-8 * scale else []


ORDERS = {"auto": 2, "ndf2": 2, "bdf_alpha": 2, "sdirk": 4, "esdirk": 5}
ENDS = {"output_every": Words("0"), "vtk_every": None, "envelope": Words("displacement,velocity"), "gear_atol": None, "gear_atol_v": None,
        "gear_cutoff_frequency": None}


def apart(runs, one, other):
    """Returns {"u", "v": largest final difference of the probes, relative to the largest value of the whole body}."""
    worst = {}
    tables = [read(runs.folder / name) for name in (one, other)]
    scale = summary(runs.folder / one)
    for name, (columns, rows) in probes(tables[0], last=True).items():
        for kind, field, where, _ in columns_of(columns):
            if kind == "vector" and field in ("u", "v"):
                largest = scale["envelope_" + {"u": "displacement", "v": "velocity"}[field]]
                difference = max(abs(rows[0][i] - tables[1][name][1][-1][i]) for i in where)
                worst[field] = max(worst.get(field, 0.0), difference / largest if largest else 0.0)
    return worst


def smooth(case):
    """Returns the case with loads that start smoothly, or None if its motion has kinks anyway: yielding, fibres that
    become slack, releases, contacts, the pressure of a gas from the start on."""
    laws = [value.text for key, value in case.keys.items() if key.startswith("material") and isinstance(value, Words)]
    if {"j2", "holzapfel"} & set(laws) or any(key.startswith(("release_", "static_first", "gas_", "contact_")) for key in case.keys):
        return None
    loads = ("traction_", "force_", "follower_", "torque_", "motor_", "pressure_", "gravity", "prescribe_", "base_", "frame_spin")
    begun = {key: replace(value, profile=Profile("smooth", case.keys["gear_t_end"].values[0] / 2))
             for key, value in case.keys.items() if key.startswith(loads) and not isinstance(value, Words)}
    return case.with_keys(**begun, initial_velocity=None, initial_displacement=None) if begun else None


def converges(runs, random):
    """Checks that the error decreases with the order of the method if the steps are halved."""
    del random
    case = runs.case
    cells = math.prod(case.mesh.counts) * {"hexahedron": 1, "wedge": 2, "tetrahedron": 6}[case.mesh.kind]
    if case.kind != "fixed" or cells * int(case.keys["degree"].text) ** 3 > 70:
        return None
    case = smooth(case.with_keys(**ENDS))
    if not case:
        return None
    family = case.keys["gear_family"].text
    order = ORDERS.get(family) or int(case.keys["gear_order"].text)
    for parts in (8, 16, 32):
        dt = case.keys["gear_dt"]
        runs.tables(f"steps_{parts}", case.with_keys(gear_dt=replace(dt, values=(dt.values[0] / parts,))))
    coarse, fine = apart(runs, "steps_8", "steps_16"), apart(runs, "steps_16", "steps_32")
    return [f"probes: {field}: halved steps of order {order} move the end by {coarse[field]:.3g}, then {fine[field]:.3g}"
            for field in coarse if fine[field] > 1e-9 and coarse[field] < fine[field] * 2 ** (order - 0.5)]


def accurate(runs, random):
    """Checks that an adaptive run agrees with one at a tighter tolerance within its own tolerance."""
    del random
    if runs.case.kind != "adaptive":
        return None
    rtol = float(runs.case.keys["gear_rtol"].text)
    for name, tolerance in (("accurate", rtol), ("more_accurate", rtol / 100)):
        runs.tables(name, runs.case.with_keys(**ENDS, gear_rtol=Words(repr(tolerance))))
    found = apart(runs, "accurate", "more_accurate")
    return [f"probes: {field}: {worst / rtol:.3g} times the tolerance" for field, worst in found.items()
            if worst > {"u": 20, "v": 100}[field] * rtol]


ALL = (in_balance, impulse, converges, accurate)
