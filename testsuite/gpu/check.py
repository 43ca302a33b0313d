#!/usr/bin/env python3
"""Runs every sample's generated OpenCL project on a device, compares it with the reference interpreter and times it.

Run prepare.sh first. Then: testsuite/gpu/check.py [--device N] [--size 4096] [--only TEXT] [--unchecked] [--nvidia]. With --nvidia the OpenCL loader is
pointed at NVIDIA's driver alone. Prints a table: pipeline, equal or close to the interpreter's result, time, bytes moved per second (each
input read once, each output written once), and the share of the speed that the best copy of as many bytes reaches in the same run.
Exit status 1 where a result differs.
"""
import argparse
import glob
import os
import re
import subprocess
import sys
import tempfile

import numpy as np

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "build", "gpu")
KINDS = {"bool": "?", "i8": "i1", "i16": "i2", "i32": "i4", "i64": "i8", "u8": "u1", "u16": "u2", "u32": "u4", "u64": "u8",
         "f16": "f2", "bf16": "u2", "f32": "f4", "f64": "f8"}
# Floats differ by the order and accuracy of operations that strict mode leaves open (exp, sin, ...).
TOLERANCE = {"f2": 2e-3, "f4": 2e-5, "f8": 1e-12}


class Image:
    def __init__(self, direction, name, kind, lanes, extents):
        self.direction, self.name, self.lanes, self.extents = direction, name, lanes, extents
        self.dtype = np.dtype(KINDS[kind])

    def shape(self, sizes):
        shape = [int(eval(e.replace("/", "//"), {}, dict(sizes))) for e in self.extents]
        return shape + ([self.lanes] if self.lanes > 1 else [])

    def random(self, sizes, rng):
        shape = self.shape(sizes)
        if self.dtype.kind == "f":
            return rng.uniform(-100, 300, shape).astype(self.dtype)
        if self.dtype.kind == "b":
            return rng.integers(0, 2, shape).astype(self.dtype)
        info = np.iinfo(self.dtype)
        return rng.integers(info.min, info.max, shape, dtype=self.dtype, endpoint=True)


def nvidia_alone():
    """Points the OpenCL loader at NVIDIA's driver alone."""
    vendors = tempfile.mkdtemp()
    with open(os.path.join(vendors, "nvidia.icd"), "w") as f:
        f.write("libnvidia-opencl.so.1\n")
    os.environ["OCL_ICD_VENDORS"] = vendors
    os.environ["OCL_ICD_FILENAMES"] = "libnvidia-opencl.so.1"  # what the loader looks at in addition


def pipelines(project, header=None):
    """The pipelines of a project from the comments of its header: name, function, images."""
    header = open(os.path.join(ROOT, project, "include", header or os.path.basename(project) + ".h")).read()
    found = []
    for m in re.finditer(r"^/\* (\w+)\((.*)\)$", header, re.M):
        images = []
        for part in re.split(r", (?=in |out |inout )", m.group(2)):
            p = re.match(r"(in|out|inout) (\w+): (\w+?)(?:x([234]))?((?:\[.*\])?)$", part)
            if p and p.group(5):
                images.append(Image(p.group(1), p.group(2), p.group(3), int(p.group(4) or 1), re.findall(r"\[(.*?)\]", p.group(5))))
        found.append((m.group(1), images))
    return found


def sizes_of(images, size):
    """One value for each size name: what was asked for, less for a third extent."""
    names = []
    for m in images:
        for e in m.extents:
            for n in re.findall(r"[A-Za-z_]\w*", e):
                if n not in names:
                    names.append(n)
    return {n: (size[0] if n in ("H", "h") else size[1] if n in ("W", "w") else 5) for n in names}


def run(command):
    r = subprocess.run(command, capture_output=True, text=True)
    if r.returncode != 0:
        raise RuntimeError(" ".join(command) + "\n" + r.stdout + r.stderr)
    return r.stderr + r.stdout


def difference(a, b):
    """"equal" for equal bits; floats within the tolerance of their kind, or integers that a float on the way rounded to the other
    side (1 off in at most one component of a thousand), are "close"; else "DIFFERS"."""
    if a.shape != b.shape or a.dtype != b.dtype:
        return "DIFFERS"
    if np.array_equal(a, b, equal_nan=a.dtype.kind == "f"):
        return "equal"
    if a.dtype.kind == "f":
        t = TOLERANCE[a.dtype.str[1:]]
        return "close" if np.allclose(a, b, rtol=t, atol=t, equal_nan=True) else "DIFFERS"
    off = np.abs(a.astype(np.float64) - b.astype(np.float64))
    return "close" if off.max() <= 1 and (off > 0).mean() <= 1e-3 else "DIFFERS"


ORDER = ["equal", "close", "DIFFERS"]


class Case:
    """One pipeline at one size, with its files in a folder."""

    def __init__(self, project, name, images, only, size, folder, sizes=None):
        self.project, self.name, self.images, self.folder = project, name, images, folder
        self.sizes = sizes or sizes_of(images, size)
        self.only = only
        self.unbound = []
        known = set()
        for m in images:
            if m.direction != "out":
                for e in m.extents:
                    known.update(re.findall(r"[A-Za-z_]\w*", e))
        self.unbound = [n for n in self.sizes if n not in known]
        rng = np.random.default_rng(1)
        for m in images:
            if m.direction != "out":
                np.save(self.path(m, "in"), m.random(self.sizes, rng))

    def path(self, m, what):
        return os.path.join(self.folder, f"{m.name}.{what}.npy")

    def settings(self):
        return [w for n in self.unbound for w in ("--set", f"{n}={self.sizes[n]}")]

    def reference(self):
        command = [os.path.join(ROOT, "imgc"), "run", os.path.join(ROOT, self.project, os.path.basename(self.project) + ".img"), "--device", "ref",
                   "--pipeline", self.name, "--fp", "strict"] + self.settings()
        for m in self.images:
            if m.direction != "out":
                command += ["--in", f"{m.name}={self.path(m, 'in')}"]
            if m.direction != "in":
                command += ["--out", f"{m.name}={self.path(m, 'ref')}"]
        run(command)

    def accepted(self):
        """Runs the interpreter; false where it refuses the size, as a border or an assumption may."""
        try:
            self.reference()
            return True
        except RuntimeError as e:
            if "internal error" in str(e):
                raise
            return False

    def device(self, device, bench=0):
        command = [os.path.join(ROOT, self.project, "demo", "run"), "--device", str(device)] + self.settings()
        if bench:
            command += ["--bench", str(bench)]
        if not self.only:
            command.append(self.name)
        for m in self.images:
            command += [self.path(m, "in")] if m.direction != "out" else []
            command += [self.path(m, "out")] if m.direction != "in" else []
        return run(command)

    def difference(self):
        found = [difference(np.load(self.path(m, "ref")), np.load(self.path(m, "out"))) for m in self.images if m.direction != "in"]
        return max(found, key=ORDER.index, default="equal")

    def bytes(self):
        return sum(int(np.prod(m.shape(self.sizes))) * m.dtype.itemsize * (2 if m.direction == "inout" else 1) for m in self.images)


class Ceiling:
    """Times of the copy of so many bytes, which are measured once each."""

    def __init__(self, args):
        self.args, self.times = args, {}

    def milliseconds(self, bytes):
        n = max(16, bytes // 2)
        most = 1 << 29  # extents end at 2^30
        if n > most:
            return self.milliseconds(2 * most) * n / most
        if n not in self.times:
            with tempfile.TemporaryDirectory() as folder:
                images = pipelines("gpu/copy")[0][1]
                c = Case("gpu/copy", "copy", images, True, (n, n), folder, {"N": n})
                m = re.search(r"median ([\d.]+) ms", c.device(self.args.device, self.args.bench))
                self.times[n] = float(m.group(1))
        return self.times[n]


def main():
    args = argparse.ArgumentParser(description=__doc__)
    args.add_argument("--device", type=int, default=0)
    args.add_argument("--size", type=int, default=4096, help="rows and columns of the timed images")
    args.add_argument("--only", default="", help="a part of the names of the samples to run, with their folders")
    args.add_argument("--unchecked", action="store_true", help="time only; the interpreter takes minutes for some samples")
    args.add_argument("--bench", type=int, default=20, help="measurements for each pipeline; 0 for none")
    args.add_argument("--nvidia", action="store_true", help="look at NVIDIA's OpenCL driver alone")
    args = args.parse_args()
    if args.nvidia:
        nvidia_alone()
    wrong = 0
    seen = ""
    ceiling = Ceiling(args)
    print(f"{'pipeline':<40}{'result':<10}{'median ms':>10}{'minimum ms':>12}{'GB/s':>9}{'of copy':>9}")
    for folder in sorted(glob.glob(os.path.join(ROOT, "*", "*", ""))):
        project = os.path.relpath(folder, ROOT)
        if args.only not in project or project == "gpu/copy":
            continue
        all_of_it = pipelines(project)
        for name, images in all_of_it:
            verdict, times = "not run", ("", "", "", "")
            try:
                for size in () if args.unchecked else ((1, 1), (37, 53), (480, 640)):
                    with tempfile.TemporaryDirectory() as folder:
                        c = Case(project, name, images, len(all_of_it) == 1, size, folder)
                        if not c.accepted():
                            continue
                        device = re.search(r"device: (.*)", c.device(args.device)).group(1)
                        if device != seen:
                            print("device: " + device)
                            seen = device
                        found = c.difference()
                        verdict = found if verdict == "not run" else max(verdict, found, key=ORDER.index)
                if args.bench:
                    with tempfile.TemporaryDirectory() as folder:
                        c = Case(project, name, images, len(all_of_it) == 1, (args.size, args.size), folder)
                        m = re.search(r"median ([\d.]+) ms, minimum ([\d.]+) ms", c.device(args.device, args.bench))
                        share = ceiling.milliseconds(c.bytes()) / float(m.group(1))
                        times = (m.group(1), m.group(2), f"{c.bytes() / float(m.group(1)) / 1e6:.0f}", f"{100 * share:.0f} %")
            except RuntimeError as e:
                verdict = "FAILED"
                print(e, file=sys.stderr)
            wrong += verdict not in ("equal", "close") and not (args.unchecked and verdict == "not run")
            print(f"{project + '/' + name:<40}{verdict:<10}{times[0]:>10}{times[1]:>12}{times[2]:>9}{times[3]:>9}", flush=True)
    print(f"{wrong} pipelines differ or failed")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
