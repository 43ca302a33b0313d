"""Runs reference functions: python run.py REQUEST.json

The request is a list of cases {"function": "module.name", "images": [path of .npy, ...], "scalars": {...}, "out": [path, ...]}.
A function takes the images in order and the scalars by name, and returns one array, or a tuple of them, one for each path of out.
Where it raises, the text of the exception is written to the first path with ".error" at its end.
"""

import importlib
import json
import sys
import traceback

import numpy as np


def run(case):
    module, name = case["function"].split(".")
    function = getattr(importlib.import_module(module), name)
    images = [np.load(path) for path in case["images"]]
    results = function(*images, **case["scalars"])
    if not isinstance(results, tuple):
        results = (results,)
    if len(results) != len(case["out"]):
        raise ValueError(f"{case['function']} returns {len(results)} arrays, {len(case['out'])} are wanted")
    for result, path in zip(results, case["out"]):
        np.save(path, np.ascontiguousarray(result))


def main(request):
    with open(request, encoding="utf-8") as f:
        cases = json.load(f)
    for case in cases:
        try:
            with np.errstate(all="ignore"):
                run(case)
        except Exception:  # the test that asked for this case reports it
            with open(case["out"][0] + ".error", "w", encoding="utf-8") as f:
                f.write(traceback.format_exc())


if __name__ == "__main__":
    main(sys.argv[1])
