"""The direction of view and the scale of displacements."""
import math


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
