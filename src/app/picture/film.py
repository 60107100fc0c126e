"""Films."""
import math

import numpy as np
from PIL import Image


def save_movie(drawing, steps, file):
    """Writes the pictures of the steps at 25 frames per second, in at most 2 MB: smaller ones if need be."""
    images = []
    for step in steps:
        drawing.draw(*step)
        drawing.figure.canvas.draw()
        images.append(Image.fromarray(np.asarray(drawing.figure.canvas.buffer_rgba())[..., :3].copy()))
    some = np.stack([np.asarray(image) for image in images[::max(1, len(images) // 8)]]).reshape(-1, 3)
    some = np.unique(some >> 2 << 2, axis=0)  # each colour once, so that rare ones count, too
    palette = Image.fromarray(some[None]).quantize(255)
    palette.putpalette(palette.getpalette()[:765] + [255, 255, 255])
    width, height = images[0].size
    factor = 1
    while True:
        small = [image.resize((round(factor * width), round(factor * height)), Image.LANCZOS) for image in images]
        small = [image.quantize(palette=palette, dither=Image.Dither.NONE) for image in small]
        small[0].save(file, save_all=True, append_images=small[1:], duration=40, loop=0, optimize=False)
        size = file.stat().st_size
        if size < 2e6 or factor * width < 240:
            return
        factor *= 0.95 * math.sqrt(2e6 / size)
