"""Random cases: small valid runs with all features of the program."""
import random
import re
from dataclasses import dataclass, field, replace

import quantities as q
from contacts import Contacts
from mesh import Mesh
from quantities import LinearField, Point, Profile, Scalars, Table, Vector, Words, scalar

PROBE_FIELDS = ("displacement", "velocity", "acceleration", "cauchy", "von_mises", "principal", "strain", "energy_density",
                "pressure", "history")
FIELDS = ("displacement", "velocity", "acceleration", "cauchy", "von_mises", "principal", "strain", "energy_density",
          "pressure", "history", "region", "quality", "von_mises_points")
ENVELOPE = ("displacement", "velocity", "acceleration", "von_mises", "principal", "energy_density", "pressure", "history")

# Their tangents jump, and therefore the force of stiffness damping does, too.
JUMPING = ("j2", "holzapfel")
MIXED = ("neo_hookean", "linear_elastic", "mooney_rivlin", "yeoh", "ogden", "arruda_boyce", "isochoric_neo_hookean", "isochoric_mooney_rivlin")


@dataclass
class Case:
    seed: int
    mesh: Mesh
    keys: dict = field(default_factory=dict)
    kind: str = "fixed"  # or "adaptive", "static", "modes"
    free: bool = False  # no supports: may be thrown
    turnable: bool = True

    def with_keys(self, **changed):
        keys = dict(self.keys)
        for key, value in changed.items():
            if value is None:
                keys.pop(key, None)
            else:
                keys[key] = value
        return replace(self, keys=keys)


class Draw:
    """Draws one case from a seed. Units are of order one; the stiffness gives waves a speed of about 10."""

    def __init__(self, random, seed):
        self.r = random
        self.case = Case(seed, self.mesh())
        self.keys = self.case.keys
        self.faces = ["xmin", "xmax", "ymin", "ymax", "zmin", "zmax"] + (["hole"] if self.case.mesh.cavity else [])
        self.L = max(self.case.mesh.size)

    def chance(self, p):
        return self.r.random() < p

    def log(self, low, high):
        return low * (high / low) ** self.r.random()

    def direction(self):
        while True:
            v = tuple(self.r.gauss(0, 1) for _ in range(3))
            n = sum(x * x for x in v) ** 0.5
            if n > 0.1:
                return tuple(x / n for x in v)

    def vector(self, size):
        return tuple(size * x for x in self.direction())

    def mesh(self):
        kind = self.r.choice(("hexahedron", "hexahedron", "tetrahedron", "wedge"))
        counts = self.r.choice(((2, 2, 2), (4, 1, 1), (3, 2, 1), (5, 2, 2), (2, 2, 3)))
        size = tuple(n * self.log(0.3, 1) for n in counts)
        geometry = self.r.choice((1, 1, 2))
        bend = self.r.choice((0.0, 0.1)) if geometry == 1 else self.r.choice((0.05, 0.15))
        if self.chance(0.1):
            return self.hollow(kind, geometry, bend)
        return Mesh(kind, counts, size, geometry, bend, self.r.choice((1, 1, 2)))

    def hollow(self, kind, geometry, bend):
        """Removes a cell: inside, at the supported end, or at an edge of it."""
        counts = self.r.choice(((3, 3, 3), (2, 3, 3), (2, 2, 3)))
        inside = counts == (3, 3, 3)
        size = tuple(n * self.log(0.3, 1) for n in counts)
        return Mesh(kind, counts, size, geometry, bend if inside else 0.0, self.r.choice((1, 1, 2)), cavity=(int(inside), 1, 1))

    def record(self):
        """Adds a table for formulas, with or without splines. Jumps are only for loads whose work stays finite."""
        self.keys["table_record"] = table = Table(self.record_rows(), self.r.choice((2, 3)))
        if table.column != 2:
            self.keys["table_record_column"] = Words(str(table.column))
        self.smooth_record = self.chance(0.5)
        if self.smooth_record:
            self.keys["table_record_spline"] = Words("true")

    def record_rows(self):
        """Times are a tenth of the end apart: motions that follow the record do not jump."""
        times = sorted(self.r.uniform(0.05, 0.95) for _ in range(self.r.randint(2, 4)))
        times = [self.T * time for i, time in enumerate(times) if i == 0 or time - times[i - 1] > 0.1]
        jump = self.r.choice(times) if self.chance(0.3) else -1.0
        rows = [(t, self.r.uniform(-1, 1)) for t in (*times, jump) if t >= 0]
        self.jumps = jump >= 0
        return ((0.0, 0.0), *sorted(rows, key=lambda row: row[0]), (1.1 * self.T, 0.0))

    def profile(self, motion=False):
        """For motions the derivatives also have an effect."""
        if self.case.kind in ("static", "modes"):
            return Profile()
        if "table_record" in self.keys and not (motion and (self.jumps or not self.smooth_record)) and self.chance(0.5):
            return Profile("record")
        return self.r.choice((Profile(), Profile("ramp", self.T / 2), Profile("sine", self.T / 3)))

    def from_rest(self):
        """For motions: a constant one would be reached within the first step, and faster if that is shorter."""
        profile = self.profile(motion=True)
        moves = self.case.kind in ("fixed", "adaptive")
        return Profile("ramp", self.T / 2) if moves and profile == Profile() else profile

    def material(self, prefix=""):
        """Draws the moduli of a law, with a stiffness of about E = 100."""
        E = self.log(50, 200)
        law = self.r.choice(("neo_hookean", "linear_elastic", "st_venant_kirchhoff", "mooney_rivlin", "j2", "yeoh", "ogden", "arruda_boyce",
                             "holzapfel", "isochoric_neo_hookean", "isochoric_mooney_rivlin"))
        own = {"rho": scalar(self.log(0.5, 2), q.DENSITY)}
        mu = E / 3
        if law in ("neo_hookean", "linear_elastic", "st_venant_kirchhoff", "j2", "isochoric_neo_hookean"):
            own |= {"E": scalar(E, q.STRESS), "nu": scalar(self.r.choice((0.0, 0.3, 0.4)), q.NONE)}
        else:
            own["bulk"] = scalar(2 * E, q.STRESS)
        if law == "j2":
            own |= {"yield": scalar(E * self.log(0.002, 0.05), q.STRESS), "hardening": scalar(E / 10, q.STRESS)}
            if self.chance(0.3):
                own |= {"voce_saturation": scalar(E / 10, q.STRESS), "voce_rate": scalar(20, q.NONE)}
        elif law in ("mooney_rivlin", "isochoric_mooney_rivlin"):
            own |= {"mu1": scalar(0.7 * mu, q.STRESS), "mu2": scalar(0.3 * mu, q.STRESS)}
        elif law == "yeoh":
            own |= {"c1": scalar(mu / 2, q.STRESS), "c2": scalar(mu / 20, q.STRESS), "c3": scalar(mu / 50, q.STRESS)}
        elif law == "arruda_boyce":
            own |= {"mu1": scalar(mu, q.STRESS), "locking_stretch": scalar(self.r.choice((1.5, 5)), q.NONE)}
        elif law == "ogden":
            own |= {"mu1": scalar(mu, q.STRESS), "alpha1": scalar(1.6, q.NONE)}
            if self.chance(0.5):
                own |= {"mu2": scalar(mu / 100, q.STRESS), "alpha2": scalar(4, q.NONE)}
                own |= {"mu3": scalar(-mu / 50, q.STRESS), "alpha3": scalar(-2, q.NONE)}
        elif law == "holzapfel":
            own |= {"mu1": scalar(mu, q.STRESS), "k1": scalar(mu, q.STRESS), "k2": scalar(1, q.NONE),
                    "dispersion": scalar(self.r.choice((0, 0.2)), q.NONE)}
            for name in self.r.choice((("fibre_1",), ("fibre_1", "fibre_2"))):
                self.keys[name] = self.fibres(name, self.direction())
        if law in ("yeoh", "ogden", "arruda_boyce", "holzapfel", "isochoric_neo_hookean", "isochoric_mooney_rivlin") and not prefix:
            self.keys["volumetric"] = Words(self.r.choice(("log2", "simo", "quadratic")))
        if law in ("neo_hookean", "mooney_rivlin", "yeoh") and self.case.kind != "modes" and self.chance(0.2) and not prefix:
            own |= {"prony_g": scalar(0.3, q.NONE), "prony_tau": scalar(self.T / 3, q.TIME)}
        if law != "j2" and prefix and self.case.kind in ("fixed", "adaptive") and self.chance(0.3) and law not in JUMPING:
            own |= {"rayleigh_mass": scalar(0.1 / self.T, q.RATE), "rayleigh_stiffness": scalar(0.01 * self.T, q.TIME)}
        self.keys["material" + (f"_{prefix}" if prefix else "")] = Words(law)
        for name, value in own.items():
            self.keys[f"material_{prefix}_{name}" if prefix else name] = value
        return law

    def fibres(self, name, direction):
        """Draws one direction for all points, or directions around it at points of a file."""
        own = random.Random(f"{self.case.seed} {name}")  # separate, so that the rest of the case does not change
        if own.random() < 0.5:
            return Vector(direction, q.NONE)
        mesh = self.case.mesh
        rows = []
        for _ in range(own.randint(1, 60)):
            where = mesh.place(tuple(own.random() * n for n in mesh.counts))
            rows.append((where, tuple(x + own.uniform(-0.4, 0.4) for x in direction)))
        if len(rows) > 1:  # so that no cell is far from all of them
            rows += [(mesh.place(tuple(k * n for k, n in zip(corner, mesh.counts))), direction)
                     for corner in ((0, 0, 0), (1, 1, 1), (1, 0, 0), (0, 1, 1))]
        return q.PointValues(tuple(rows), q.NONE)

    def supports(self):
        case, r = self.case, self.r
        case.free = case.kind in ("fixed", "adaptive") and self.chance(0.25)
        if case.free:
            return
        held = self.faces.pop(0)
        how = r.choice(("clamp", "clamp", "prescribe", "roller", "rollers", "rollers"))
        if how == "prescribe" and (case.kind != "modes" or self.responds):
            self.keys[f"prescribe_{held}"] = Vector(self.vector(0.02 * self.L), q.LENGTH, self.from_rest())
        elif how == "roller":
            case.turnable = False
            self.keys["fix_x"], self.keys["fix_y"] = Words(held), Words(f"{held},ymin")
            self.keys["fix_z"] = Words(f"{held},zmin")
            if (case.kind != "modes" or self.responds) and self.chance(0.5):
                del self.keys["fix_x"]
                self.keys[f"prescribe_{held}"] = Vector(self.vector(0.02 * self.L), q.LENGTH, self.from_rest(),
                                                        (True, False, False))
        elif how == "rollers":
            self.keys["fix_normal"] = Words(f"{held},ymin,zmin")
        else:
            self.keys["clamp"] = Words(held)
        if case.kind in ("fixed", "adaptive") and self.chance(0.1):
            self.keys[f"release_{held}"] = scalar(self.T / 2, q.TIME)

    def loads(self):
        """Each load is small enough for moderate strains."""
        stress = 100 * self.log(1e-3, 3e-2)
        area = self.L * self.L / 4
        r = self.r
        static = self.case.kind in ("static", "modes")
        h, b, _ = sorted(self.case.mesh.size)
        yields = [value.values[0] for key, value in self.keys.items() if key.endswith("yield")]
        stress = min(stress, min([30, *yields]) * b * h * h / (4 * self.L * area))  # bends a slender body as far
        kinds = ["traction", "force", "torque", "pressure", "foundation", "gravity", "follower_force", "follower_torque"]
        if not static:
            kinds += ["mass", "dashpot", "velocity", "velocity", "base", "spin", "motor_torque", "displacement"]
        if {"fix_y", "fix_normal"} & set(self.keys):  # planes on three sides stop a spin at once; no step resolves that
            kinds = [kind for kind in kinds if kind != "velocity"]
        if self.case.kind == "modes":
            kinds = ["foundation", "mass"]
            if self.responds or self.stressed:
                kinds += ["traction", "force", "torque", "gravity"]
        if self.responds:
            self.keys["traction_xmax"] = Vector(self.vector(stress), q.STRESS)
        held = {"clamp", "fix_x"} & set(self.keys) and not any(key.startswith("release_") for key in self.keys)
        if self.case.mesh.counts == (3, 3, 3) or (self.case.mesh.counts == (2, 3, 3) and held):  # its edge stays flat
            self.keys["gas_hole"] = Scalars((self.log(0.3, 3), 1.4), (q.STRESS, q.NONE))
        for kind in r.sample(kinds, r.randint(1, min(3, len(kinds)))):
            face = r.choice(self.faces)
            if kind == "traction":
                self.keys[f"traction_{face}"] = Vector(self.vector(stress), q.STRESS, self.profile())
            elif kind in ("force", "follower_force"):
                self.keys[f"{kind}_{face}"] = Vector(self.vector(stress * area), q.FORCE, self.profile())
            elif kind in ("torque", "follower_torque", "motor_torque"):
                self.keys[f"{kind}_{face}"] = Vector(self.vector(stress * area * self.L / 10), q.MOMENT, self.profile())
            elif kind == "pressure":
                self.keys[f"pressure_{face}"] = scalar(stress, q.STRESS, self.profile())
                if self.chance(0.3):
                    self.keys[f"pressure_{face}_follow"] = Words("false")
            elif kind == "foundation":
                self.keys[f"foundation_{face}"] = Scalars((20 / self.L, 10 / self.L), (q.STIFFNESS_OF_AREA,) * 2)
            elif kind == "gravity":
                self.keys["gravity"] = Vector(self.vector(stress / self.L), q.ACCELERATION, self.profile())
            elif kind == "mass":
                self.keys[f"mass_{face}"] = scalar(self.log(0.1, 1), q.MASS)
            elif kind == "dashpot":
                self.keys[f"dashpot_{face}"] = Scalars((1, 0.5), (q.DAMPING_OF_AREA,) * 2)
            elif kind == "velocity":
                spin = self.vector(0.3 / self.T if self.chance(0.5) else 0)
                gradient = ((0.02, -spin[2], spin[1]), (spin[2], -0.03, -spin[0]), (-spin[1], spin[0], 0.01))
                self.keys["initial_velocity"] = LinearField((0, 0, 0), gradient, (0, 0, 0), q.VELOCITY)
            elif kind == "displacement" and self.case.free:
                gradient = tuple(tuple(r.uniform(-0.03, 0.03) for _ in range(3)) for _ in range(3))
                self.keys["initial_displacement"] = LinearField((0, 0, 0), gradient, (0, 0, 0), q.LENGTH)
            elif kind == "spin":
                self.keys["frame_spin"] = Vector(self.vector(0.3 / self.T), q.RATE, self.profile(motion=True))
                self.keys["frame_centre"] = Point(self.vector(self.L))
            elif kind == "base" and not self.case.free:
                self.keys["base_acceleration"] = Vector(self.vector(stress / self.L), q.ACCELERATION,
                                                        Profile("sine", self.T / 3))

    def follow_loads(self):
        """Lets the loads of a static case grow with time, one after another, instead of with the load factor."""
        self.keys["load_until"] = scalar(self.T, q.TIME)
        for key, value in self.keys.items():
            if re.match("(gravity|(traction|pressure|force|torque)_)", key) and getattr(value, "profile", None) == Profile():
                self.keys[key] = replace(value, profile=Profile("ramp", self.r.choice((0.3, 0.6, 1)) * self.T))

    def method(self):
        r, case = self.r, self.case
        if case.kind == "static" or self.stressed:
            self.keys["static"], self.keys["load_steps"] = Words("true"), Words(str(r.choice((1, 2, 3))))
            if self.chance(0.3):
                self.keys["load_cutbacks"] = Words(r.choice(("2", "8")))
        if case.kind == "static":
            if self.chance(0.3):
                self.follow_loads()
            return
        if case.kind == "modes":
            self.keys["modes"] = Words("4")
            if self.responds:
                self.keys["frequency_response"] = Scalars((0.2 / self.L, 2 / self.L, r.randint(2, 5)), (q.RATE, q.RATE, q.NONE))
                self.keys["frequency_response_damping"] = Words(r.choice(("0.02", "0.1")))
            elif self.chance(0.3):
                self.keys["modes_shift"] = scalar(0.5 / self.L, q.RATE)
                self.keys["modes_pc_type"] = Words("cholesky")
            return
        self.keys["gear_t_end"] = scalar(self.T, q.TIME)
        # A spin that starts with a rate is a load that the body does not carry in equilibrium.
        if not case.free and self.chance(0.1) and "frame_spin" not in self.keys:
            self.keys["static_first"] = Words("true")
        if self.chance(0.2):
            self.keys["gear_rayleigh_mass"] = scalar(0.1 / self.T, q.RATE)
        if self.chance(0.2) and not any(value.text in JUMPING for value in self.keys.values() if isinstance(value, Words)):
            self.keys["gear_rayleigh_stiffness"] = scalar(0.01 * self.T, q.TIME)
        if self.chance(0.15):
            self.thresholds()
        if case.kind == "fixed":
            self.keys["gear_dt"] = scalar(self.T / r.choice((8, 12)), q.TIME)
            family = r.choice(("bdf", "bdf", "auto", "ndf2", "bdf_alpha", "sdirk", "esdirk"))
            self.keys["gear_family"] = Words(family)
            if family == "bdf_alpha":
                self.keys["gear_rho_inf"] = Words(r.choice(("0", "0.5", "0.8")))
            if self.chance(0.2):
                self.keys["gear_start"] = Words("ramp")
            if family == "bdf":
                self.keys["gear_order"] = Words(str(r.randint(1, 5)))
            return
        self.keys["gear_adapt"] = Words(r.choice(("step", "order", "order")))
        self.keys["gear_family"] = Words(r.choice(("auto", "auto", "bdf", "esdirk", "sdirk")))
        self.keys["gear_rtol"] = Words(r.choice(("1e-3", "1e-4")))
        if random.Random(f"{self.case.seed} cutoff").random() < 0.2:
            self.keys["gear_cutoff_frequency"] = Words("-2")
        self.keys["gear_step_control"] = Words(r.choice(("band", "filter")))
        if self.chance(0.3):
            self.keys["gear_atol"] = scalar(1e-5 * self.L, q.LENGTH)
        if self.chance(0.2):
            self.keys["gear_dt_max"] = scalar(self.T / 5, q.TIME)
        if self.chance(0.2):
            self.keys["gear_dt_min"] = scalar(self.T * 1e-9, q.TIME)
        if self.chance(0.2):
            self.keys["gear_atol_v"] = scalar(1e-3 * self.L / self.T, q.VELOCITY)
        if self.chance(0.2):
            self.keys["gear_cutoff_frequency"] = scalar(100 / self.T, q.RATE)
        if self.keys["gear_adapt"].text == "order" and self.chance(0.3):
            del self.keys["gear_adapt"]  # the default if no step is given

    def thresholds(self):
        """Draws limits of Newton's iteration: near rounding, or well below the tolerances of adaptive steps."""
        small = 1e-6 if self.case.kind == "adaptive" else 1e-11
        criteria = {"residual_initial": Words(repr(small)), "residual_successive": Words(repr(100 * small)),
                    "residual_absolute": scalar(10 * small * self.L ** 2, q.FORCE), "increment_relative": Words(repr(small)),
                    "increment_absolute": scalar(0.1 * small * self.L / self.T, q.VELOCITY), "increment_sum": Words(repr(small))}
        self.keys["gear_newton_test"] = Words("thresholds")
        for name in self.r.sample(sorted(criteria), self.r.randint(1, 3)):
            self.keys[f"gear_newton_{name}"] = criteria[name]

    def solvers(self):
        solver = self.r.choice(("auto", "auto", "auto", "pmg", "amg", "jacobi"))
        if solver == "jacobi" and ("static" in self.keys or self.keys["degree"].text == "3"):
            solver = "auto"  # restarted GMRES stagnates, and so do solves for the modes
        self.keys["solver"] = Words(solver)
        self.keys["solid_levels"] = Words(self.r.choice(("float", "double")))
        self.keys["solid_points"] = Words(self.r.choice(("double", "double", "float")))
        update = self.r.choice(("auto", "auto", "step", "newton", "simulation"))
        if update == "simulation" and (self.case.kind == "adaptive" or "table_record" in self.keys):
            update = "auto"  # one preconditioner is not suitable for steps of all sizes
        self.keys["gear_pc_update"] = Words(update)

    def place(self):
        """Draws a point inside the body, in units of cells."""
        while True:
            where = tuple(self.r.uniform(0.1, 0.9) * n for n in self.case.mesh.counts)
            if tuple(map(int, where)) != self.case.mesh.cavity:
                return where

    def results(self):
        r, case = self.r, self.case
        self.keys["probe_fields"] = Words(",".join(r.sample(PROBE_FIELDS, r.randint(1, len(PROBE_FIELDS)))))
        for name in r.sample(("a", "b", "tip"), r.randint(1, 3)):
            where = self.place()
            self.keys[f"probe_{name}"] = Point(self.case.mesh.place(where))
            if self.chance(0.1) and self.case.kind != "modes":
                self.keys[f"force_{name}"] = Vector(self.vector(0.01 * self.L ** 2), q.FORCE, self.profile())
            if self.chance(0.1) and self.case.kind in ("fixed", "adaptive"):
                self.keys[f"mass_{name}"] = scalar(0.1 * self.L ** 3, q.MASS)
        self.keys["fields"] = Words(",".join(r.sample(FIELDS, r.randint(1, 5))))
        if self.case.kind in ("fixed", "adaptive"):
            self.keys["envelope"] = Words(",".join(r.sample(ENVELOPE, r.randint(1, 3))))
        self.keys[r.choice(("output_every", "output_every", "vtk_every"))] = Words(r.choice(("0", "1", "5")))
        if case.kind in ("fixed", "adaptive"):
            if self.chance(0.2):
                self.keys["output_dt"] = scalar(self.T / 3.3, q.TIME)
            if self.chance(0.2):
                self.keys["output_times"] = Scalars((self.T / 7, self.T / 1.7), (q.TIME, q.TIME))
            if self.chance(0.1):
                self.keys["gear_guard"] = Words("false")
            if self.chance(0.1):
                self.keys["gear_energy_tolerance"] = Words(r.choice(("0", "0.5")))
            self.keys["csv_every"] = Words(r.choice(("1", "1", "2")))
            self.keys["energy_regions"] = Words(r.choice(("true", "false")))
        if self.chance(0.3):
            self.keys["units"] = Words(r.choice(("m,kg,s", "mm,t,s")))

    def draw(self):
        r, case = self.r, self.case
        case.kind = r.choice(("fixed", "fixed", "adaptive", "static", "modes"))
        self.T = self.L / 10 * self.log(0.5, 3)
        self.responds = case.kind == "modes" and self.chance(0.5)
        self.stressed = case.kind == "modes" and self.chance(0.3)
        if case.kind in ("fixed", "adaptive") and self.chance(0.25):
            self.record()
        degrees = {"hexahedron": (1, 2, 3), "tetrahedron": (1, 2, 3), "wedge": (1, 2)}[case.mesh.kind]
        if case.mesh.cavity:  # many cells
            degrees = (1, 2) if case.mesh.kind == "hexahedron" else (1,)
        self.keys["degree"] = Words(str(max(case.mesh.geometry, r.choice(degrees))))
        law = self.material()
        if case.mesh.regions > 1 and self.chance(0.7):
            self.material(f"r{case.mesh.regions - 1}")
        elif law in MIXED and case.kind != "modes" and self.keys["degree"].text == "2" and self.chance(0.4):
            self.keys["formulation"] = Words("mixed")
            if "volumetric" in self.keys:
                self.keys["volumetric"] = Words("log2")
        self.supports()
        self.loads()
        self.method()
        self.solvers()
        if "formulation" in self.keys:
            self.keys["solver"], self.keys["solid_levels"] = Words("auto"), Words("float")
        self.results()
        Contacts(self).draw_all()
        return case
