#!/usr/bin/env python3
"""Times the pipelines of a program on a CPU under schedules, which take turns in one process.

    testsuite/cpu/compare.py PROGRAM [--only TEXT] [--size HxW] SCHEDULE...

Each SCHEDULE is a file of schedules; "-" stands for none, that is for what is planned, and "root" for every stage by itself as planned. Prints the
least time of each in ms and its ratio to the first, and ends with status 1 where the results of two differ. Scalars have the values that the
program gives them. Pipelines whose images have other sizes than H, W and numbers, or scalars without a value, are left out.
"""
import argparse
import ctypes as C
import os
import re
import subprocess
import sys
import tempfile
import time

import numpy as np

from bench import Device, Library, best

KINDS = {"u8": np.uint8, "u16": np.uint16, "i16": np.int16, "i32": np.int32, "u32": np.uint32, "f32": np.float32}
IMAGE = re.compile(r"\s*(in|out)\s+(\w+)\s*:\s*([a-z]+\d+)(?:x(\d))?((?:\[[^\]]*\])+)\s*(?:border.*)?$")
SCALAR = re.compile(r"\s*in\s+\w+\s*:\s*([a-z]+\d+)\s*=\s*(-?[\d.]+)\s*$")
NUMBERS = {"i32": C.c_int32, "u32": C.c_uint32, "f32": C.c_float}


def pipelines(text, sizes):
    """The pipelines of a program: names, of each image whether it is read, its kind and shape, and of each scalar its value."""
    for name, inside in re.findall(r"^pipeline\s+(\w+)\s*\(([^)]*)\)", text, re.M):
        images = []
        for part in inside.split(","):
            scalar = SCALAR.match(part)
            if scalar and scalar.group(1) in NUMBERS:
                value = scalar.group(2)
                images.append((None, NUMBERS[scalar.group(1)](float(value) if scalar.group(1) == "f32" else int(value)), []))
                continue
            m = IMAGE.match(part)
            dims = [sizes.get(d) or (int(d) if d.isdigit() else 0) for d in re.findall(r"\[([^\]]*)\]", m.group(5))] if m else [0]
            if not m or m.group(3) not in KINDS or 0 in dims:
                break
            images.append((m.group(1) == "in", KINDS[m.group(3)], dims + ([int(m.group(4))] if m.group(4) else [])))
        else:
            yield name, images


def roots(imgc, program, arch, folder):
    """A file of schedules with every stage by itself."""
    text = subprocess.run([imgc, "explain", program, "--arch", arch], check=True, capture_output=True, text=True).stdout
    path = os.path.join(folder, "root.img")
    with open(path, "w") as f:
        f.write(re.sub(r"^(\s+\w+:).*;", r"\1 root;", text, flags=re.M))
    return path


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("program")
    p.add_argument("schedules", nargs="+")
    p.add_argument("--imgc", default=os.path.join(os.path.dirname(__file__), "..", "..", "build", "imgc"))
    p.add_argument("--arch", default="pocl-cpu")
    p.add_argument("--only", default="")
    p.add_argument("--size", default="1080x1920")
    p.add_argument("--rounds", type=int, default=10)
    p.add_argument("--threads", type=int, default=2)
    p.add_argument("--cpu-time", action="store_true", help="time that threads run instead of time that passes")
    args = p.parse_args()
    os.environ["POCL_MAX_PTHREAD_COUNT"] = str(args.threads)
    device, rng, wrong = Device(), np.random.default_rng(1), False
    height, width = map(int, args.size.split("x"))
    clock = time.process_time if args.cpu_time else time.perf_counter
    with tempfile.TemporaryDirectory() as folder:
        files = [roots(args.imgc, args.program, args.arch, folder) if s == "root" else s for s in args.schedules]
        libraries = [Library(device, args.imgc, args.program, args.arch, args.size, None if s == "-" else s, folder) for s in files]
        for name, images in pipelines(open(args.program).read(), {"H": height, "W": width}):
            if args.only not in name:
                continue
            inputs = [rng.integers(1, 250, d).astype(k) if read else None for read, k, d in images]
            runs, results = [], []
            for lib in libraries:
                buffers = [kind if read is None else device.image(given if read else np.zeros(dims, kind), dims) for (read, kind, dims), given in zip(images, inputs)]
                runs.append(lib.call(name, *buffers))
                runs[-1]()
                results.append([device.read(b) for b, (read, _, _) in zip(buffers, images) if read is False])
            same = all(np.allclose(x, y, 1e-5, 1e-5, equal_nan=True) for r in results[1:] for x, y in zip(results[0], r))
            wrong = wrong or not same
            times = best(runs, args.rounds, clock)
            print(f"{name:<24}" + "".join(f"{t:>9.3f}" for t in times) + "  " + "".join(f"{t / times[0]:>6.2f}" for t in times) + ("" if same else "  DIFFERENT"), flush=True)
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
