"""A cantilever under a follower force across its tip, as a Reissner beam: source of the numbers in app.follower_force.

Run by hand: python3 elastica.py. The beam is integrated from the tip, in the tip's axes, where force and moment are
known: x' = R (1 + e, g), R the rotation by the angle phi, phi' = k, m' = -(x' x F)_z. Strains follow from the section:
fibres of the St. Venant-Kirchhoff law with nu = 0, P = E (1 + f) (f + f^2 / 2) at f = e + z k, and shear with the
factor 5/6.
"""
import numpy as np
from scipy.integrate import solve_ivp
from scipy.optimize import fsolve

E, length, load = 1.0e3, 20.0, 4.0  # for a section 1 x 1; the load in units of E I / length^2
force = np.array([0.0, load * E / 12 / length**2])
z, weights = (np.polynomial.legendre.leggauss(8)[i] / 2 for i in (0, 1))


def section(strain):
    fibre = strain[0] + z * strain[1]
    stress = E * (1 + fibre) * (fibre + fibre**2 / 2)
    return np.array([weights @ stress, weights @ (stress * z)])


def rates(_, y):
    c, s = np.cos(y[2]), np.sin(y[2])
    along, across = c * force[0] + s * force[1], -s * force[0] + c * force[1]
    e, k = fsolve(lambda strain: section(strain) - [along, y[3]], [along / E, 12 * y[3] / E], xtol=1e-13)
    g = across / (5 / 6 * E / 2)
    dx = np.array([c * (1 + e) - s * g, s * (1 + e) + c * g])
    return [-dx[0], -dx[1], -k, dx[0] * force[1] - dx[1] * force[0]]


x, y, phi, _ = solve_ivp(rates, [0, length], np.zeros(4), rtol=1e-10, atol=1e-10).y[:, -1]
c, s = np.cos(phi), np.sin(phi)
print(f"ux {-(c * x + s * y) - length:.4f} uy {s * x - c * y:.4f}, turned by {np.degrees(-phi):.2f} degrees")
