"""The direction of view and the scale of displacements."""
import math


def axes_of(view):
    """Returns the directions to the right, upwards and towards the eye, for the azimuth and elevation of the view."""
    azimuth, elevation = (math.radians(angle) for angle in view)
    towards = (math.cos(elevation) * math.cos(azimuth), math.cos(elevation) * math.sin(azimuth), math.sin(elevation))
    right = (-math.sin(azimuth), math.cos(azimuth), 0)
    up = [towards[i - 2] * right[i - 1] - towards[i - 1] * right[i - 2] for i in range(3)]
    return right, up, towards


def magnification(surfaces):
    """Returns 1 if the motion is visible; otherwise 1, 2 or 5 times a power of ten that scales it to a twentieth of the
    body's size or less."""
    size = max(surface.size for surface in surfaces)
    largest = max(surface.largest() for surface in surfaces)
    if largest == 0 or largest > 0.01 * size:
        return 1.0
    wanted = 0.05 * size / largest
    power = 10.0 ** math.floor(math.log10(wanted))
    return power * max(step for step in (1, 2, 5) if step * power <= wanted)
