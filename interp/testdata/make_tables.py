"""Writes tables.json: what NumPy's pad and SciPy's correlate make of small images.

    python make_tables.py > tables.json

tables_test.go holds the interpreter against it. Numbers are integers, or of f32 such that every sum is exact, so that the
order of additions does not matter.
"""

import json

import numpy
from scipy import ndimage

SIZES = [(1, 1), (1, 2), (1, 7), (2, 1), (6, 1), (2, 2), (3, 4), (5, 7)]
VALUE = 9

# The language's rule, NumPy's pad mode, SciPy's mode.
RULES = [
    ("clamp", "edge", "nearest"),
    ("reflect", "symmetric", "reflect"),
    ("reflect101", "reflect", "mirror"),
    ("repeat", "wrap", "grid-wrap"),
    ("constant", "constant", "constant"),
]

MASKS = {
    "3x3": [[1, 2, 1], [0, -4, 3], [5, 0, -2]],
    "1x5": [[1, 4, 6, 4, -1]],
    "5x1": [[1], [-4], [6], [4], [1]],
    "5x5": [[(3 * y + 5 * x + x * y) % 7 - 3 for x in range(5)] for y in range(5)],
    "7x3": [[(y - 2 * x + 4) % 5 - 2 for x in range(3)] for y in range(7)],
}


def image(height, width):
    random = numpy.random.RandomState(100 * height + width)
    return random.randint(0, 256, (height, width))


def pads():
    """Every image with 8 more rows and 9 more columns on each side: far beyond the smaller images' own size."""
    for rule, mode, _ in RULES:
        for size in SIZES:
            a = image(*size)
            extra = {"constant_values": VALUE} if mode == "constant" else {}
            yield {"rule": rule, "image": a.tolist(), "padded": numpy.pad(a, ((8, 8), (9, 9)), mode, **extra).tolist()}


def correlations():
    for rule, _, mode in RULES:
        for name, mask in MASKS.items():
            for size in SIZES:
                a = image(*size)
                out = ndimage.correlate(a.astype(numpy.int64), numpy.array(mask), mode=mode, cval=VALUE)
                yield {"rule": rule, "mask": mask, "image": a.tolist(), "result": out.tolist()}


def medians():
    """Windows of 9, 25 and 15 pixels; of 4 x 4 SciPy would take the upper median, so there is none of even size."""
    for rule, _, mode in RULES:
        for shape in [(3, 3), (5, 5), (3, 5)]:
            for size in SIZES:
                a = image(*size)
                out = ndimage.median_filter(a, size=shape, mode=mode, cval=VALUE)
                yield {"rule": rule, "shape": shape, "image": a.tolist(), "result": out.tolist()}


print("{")
for last, (name, rows) in enumerate([("pad", pads()), ("correlate", correlations()), ("median", medians())]):
    lines = ",\n".join("    " + json.dumps(row, separators=(",", ":")) for row in rows)
    print(f'  "{name}": [\n{lines}\n  ]' + ("," if last < 2 else ""))
print("}")
