#!/usr/bin/env python3
"""Runs every sample's generated projects on a GPU, for OpenCL and for CUDA, compares them with the reference interpreter and times them.

Run prepare.sh first. Then: testsuite/gpu/check.py [--device N] [--size 4096] [--only TEXT] [--unchecked] [--nvidia] [--target T]. With
--nvidia the OpenCL loader is pointed at NVIDIA's driver alone. CUDA projects are built here, for the device's architecture or --sm.
Prints a table: pipeline, and for each target (OpenCL, CUDA, and CUDA with its calls as graphs) whether it is equal or close to the
interpreter's result, and its time; then CUDA's time as a share of OpenCL's, and the share of the speed that the best copy of as many
bytes (each input read once, each output written once) reaches in the same run, for the fastest target. A row is printed as soon as it is
known: first what is right, then, once nothing else runs, with times. With --sanitize compute-sanitizer's
four tools look at the CUDA projects at small sizes instead: several pipelines
in one process (many.c), since to start is what takes the tools longest. With --all everything is done in one call, and the share of --budget seconds
that is not over: testsuite/gpu first, so that what is left out for want of time is what matters least. Exit status 1 where a result differs
or a tool reports something.
"""
import argparse
import collections
import concurrent.futures
import glob
import os
import re
import shutil
import subprocess
import sys
import tempfile
from time import monotonic

import numpy as np

ROOT = os.environ.get("IMGC_GPU", os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "build", "gpu"))
KINDS = {"bool": "?", "i8": "i1", "i16": "i2", "i32": "i4", "i64": "i8", "u8": "u1", "u16": "u2", "u32": "u4", "u64": "u8",
         "f16": "f2", "bf16": "u2", "f32": "f4", "f64": "f8"}
# Floats differ by the order and accuracy of operations that strict mode leaves open (exp, sin, ...).
TOLERANCE = {"f2": 2e-3, "f4": 2e-5, "f8": 1e-12}
FOLDERS = {"graph": "cuda"}  # of targets that have none of their own
ORDER = ["none", "not run", "equal", "close", "DIFFERS", "FAILED"]
MEMCHECK = "memcheck --leak-check full"
# What compute-sanitizer does with each pipeline: size, tools, what finds most first.
SANITIZED = (((37, 53), (MEMCHECK, "racecheck", "initcheck", "synccheck")), ((1, 1), (MEMCHECK,)))
TOGETHER = 12  # pipelines that a tool looks at in one process
LIMIT = 120  # seconds for a run on a device
MANY = os.path.join(ROOT, "many")  # runs demo programs that are shared libraries
SMALL = ((1, 1), (37, 53), (480, 640))
ALL = 540  # seconds for everything in one call
TIMED = 0.6  # of the budget are over when timing ends and compute-sanitizer starts
AHEAD = 3  # timed pipelines whose inputs are made beforehand


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
    """The pipelines of a project from the comments of its header, of a project for both targets where none is named: name, images."""
    path = os.path.join("include", header) if header else os.path.join("opencl", "include", "lib_opencl.h")
    header = open(os.path.join(ROOT, project, path)).read()
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
    """One value for each size name: what was asked for, less for a third extent. Where all images have one axis, which may have
    to be a power of two long, as many pixels as make one."""
    names = []
    for m in images:
        for e in m.extents:
            for n in re.findall(r"[A-Za-z_]\w*", e):
                if n not in names:
                    names.append(n)
    if len(names) == 1 and all(len(m.extents) == 1 for m in images):
        return {names[0]: 1 << ((size[0] * size[1]).bit_length() - 1)}
    return {n: (size[0] if n in ("H", "h") else size[1] if n in ("W", "w") else 5) for n in names}


def run(command, limit=None):
    """What a command prints. limit: seconds."""
    try:
        r = subprocess.run(command, capture_output=True, text=True, timeout=limit)
    except subprocess.TimeoutExpired:
        raise RuntimeError(" ".join(command) + f": no end within {limit} s")
    if r.returncode != 0:
        raise RuntimeError(" ".join(command) + "\n" + r.stdout[-2000:] + r.stderr[-2000:])
    return r.stderr + r.stdout


def difference(a, b):
    """"equal" for equal bits; floats within the tolerance of their kind, of themselves or of the largest (what transforms add up),
    or integers that a float on the way rounded to the other side (1 off in at most one component of a thousand), are "close"; else
    "DIFFERS"."""
    if a.shape != b.shape or a.dtype != b.dtype:
        return "DIFFERS"
    if np.array_equal(a, b, equal_nan=a.dtype.kind == "f"):
        return "equal"
    if a.dtype.kind == "f":
        t = TOLERANCE[a.dtype.str[1:]]
        largest = np.abs(a[np.isfinite(a)].astype(np.float64)).max(initial=1)
        return "close" if np.allclose(a, b, rtol=t, atol=t * largest, equal_nan=True) else "DIFFERS"
    off = np.abs(a.astype(np.float64) - b.astype(np.float64))
    return "close" if off.max() <= 1 and (off > 0).mean() <= 1e-3 else "DIFFERS"


def worse(a, b):
    return max(a, b, key=ORDER.index)


class Case:
    """One pipeline at one size, with its files in a folder."""

    def __init__(self, project, name, images, only, size, folder, sizes=None):
        self.project, self.name, self.images, self.folder = project, name, images, folder
        self.sizes = sizes or sizes_of(images, size)
        self.only = only
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

    def has_graph(self):
        """Whether the pipeline's calls may be CUDA graphs: not where it waits for the device in its middle."""
        function = "lib_cuda" + ("" if self.only else "_" + self.name)
        return f"{function}_enqueue_graph(" in open(os.path.join(ROOT, self.project, "cuda", "include", "lib_cuda.h")).read()

    def command(self, target, device, bench=0):
        """target: a folder of the project, or "graph": calls of the CUDA project as graphs."""
        demo = os.path.join(ROOT, self.project, FOLDERS.get(target, target), "demo", "run")
        command = ([MANY, demo + ".so"] if target in ("cuda", "graph") else [demo]) + ["--device", str(device)] + self.settings()
        if target == "graph":
            command.append("--graph")
        if bench:
            command += ["--bench", str(bench)]
        if not self.only:
            command.append(self.name)
        for m in self.images:
            command += [self.path(m, "in")] if m.direction != "out" else []
            command += [self.path(m, target or "out")] if m.direction != "in" else []
        return command

    def device(self, device, bench=0):
        """Runs a project that is for one target alone."""
        return run(self.command("", device, bench), LIMIT)

    def difference(self, target):
        found = [difference(np.load(self.path(m, "ref")), np.load(self.path(m, target))) for m in self.images if m.direction != "in"]
        return max(found, key=ORDER.index, default="equal")

    def bytes(self):
        return sum(int(np.prod(m.shape(self.sizes))) * m.dtype.itemsize * (2 if m.direction == "inout" else 1) for m in self.images)


def time(case, target, args):
    """The median and the minimum of a pipeline's times, in ms."""
    m = re.search(r"median ([\d.]+) ms, minimum ([\d.]+) ms", run(case.command(target, args.device, args.bench), LIMIT))
    return float(m.group(1)), float(m.group(2))


class Ceiling:
    """Times of the copy of so many bytes, which are measured once each; the faster target's."""

    def __init__(self, args):
        self.args, self.times = args, {}

    def milliseconds(self, bytes):
        n = max(16, bytes // 2)
        most = 1 << 29  # extents end at 2^30
        if n > most:
            return self.milliseconds(2 * most) * n / most
        if n not in self.times:
            with tempfile.TemporaryDirectory() as folder:
                c = Case("gpu/copy", "copy", pipelines("gpu/copy")[0][1], True, (n, n), folder, {"N": n})
                self.times[n] = min(time(c, t, self.args)[0] for t in self.args.targets)
        return self.times[n]


def build(project, sm):
    """Builds a CUDA project as a shared library, unless it is built, with the flags that its CMake file gives nvcc; warnings are errors."""
    folder = os.path.join(ROOT, project, "cuda")
    demo = os.path.join(folder, "demo", "run.so")
    if os.path.exists(demo):
        return
    flags = re.search(r"\$<COMPILE_LANG_AND_ID:CUDA,NVIDIA>:(.*?)>", open(os.path.join(folder, "CMakeLists.txt")).read())
    run(["nvcc", "-arch=" + sm, "-O3", "-Werror", "all-warnings", "-shared", "-Xcompiler", "-fPIC", "-I", os.path.join(folder, "include")] +
        (flags.group(1).split(";") if flags else []) +
        [os.path.join(folder, f) for f in ("kernels/lib_cuda.cu", "src/lib_cuda.c", "demo/main.c", "demo/image.c")] + ["-o", f"{demo}.{os.getpid()}"])
    os.replace(f"{demo}.{os.getpid()}", demo)  # whole, should another run be looking


def check(job, args):
    """The verdict for each target on one pipeline at the small sizes."""
    project, name, images, only = job
    verdicts = dict.fromkeys(args.targets, "not run")
    for size in SMALL:
        with tempfile.TemporaryDirectory() as folder:
            c = Case(project, name, images, only, size, folder)
            if not c.accepted():
                continue
            for t in args.targets:
                if t == "graph" and not c.has_graph():
                    verdicts[t] = "none"
                    continue
                try:
                    run(c.command(t, args.device), LIMIT)
                    verdicts[t] = worse(verdicts[t], c.difference(t))
                except (RuntimeError, OSError) as e:
                    verdicts[t] = "FAILED"
                    print(e, file=sys.stderr)
    return verdicts


def sanitizable(job, size, folder):
    """The case of a pipeline at a size and what the interpreter takes for it in seconds; None where it refuses the size."""
    project, name, images, only = job
    os.mkdir(folder)
    case, start = Case(project, name, images, only, size, folder), monotonic()
    return (monotonic() - start, case) if case.accepted() else None


def sanitize(cases, tool, args):
    """What a tool of compute-sanitizer reports on pipelines, by their names; None where the time is up. Where it reports something on
    several in one process, it looks at them one by one."""
    if monotonic() > args.deadline:
        return None
    command = ["compute-sanitizer", "--error-exitcode", "3", "--tool"] + tool.split() + [MANY]
    for c in cases:
        command += c.command("cuda", args.device)[1:] + ["+"]
    try:
        r = subprocess.run(command, capture_output=True, text=True, timeout=LIMIT)
        status, said = r.returncode, r.stdout[:3000] + r.stderr[-500:]
    except subprocess.TimeoutExpired:
        status, said = -1, f"no end within {LIMIT} s"
    if status == 0:
        return {}
    if len(cases) == 1:
        c = cases[0]
        return {f"{c.project}/{c.name}": f"{c.sizes} {tool}:\n{said}"}
    alone = [sanitize([c], tool, args) for c in cases]
    found = {name: text for reports in alone if reports for name, text in reports.items()}
    return found or {" ".join(f"{c.project}/{c.name}" for c in cases): f"{tool}, in one process only:\n{said}"}


def sanitize_all(jobs, pool, args):
    """Prints what compute-sanitizer reports as it comes; whether there is anything."""
    told, left, count = set(), 0, 0
    with tempfile.TemporaryDirectory() as folder:
        runs = {}
        for size, tools in SANITIZED:
            tried = pool.map(lambda k: sanitizable(jobs[k], size, os.path.join(folder, f"{size[0]}-{k}")), range(len(jobs)))
            cases = [c for _, c in sorted(filter(None, tried), key=lambda t: -t[0])]  # the longest first, dealt out to all processes
            rounds = -(-len(cases) // TOGETHER) if cases else 0
            for tool in tools:
                for k in range(rounds):
                    runs[pool.submit(sanitize, cases[k::rounds], tool, args)] = len(cases[k::rounds])
        for done in concurrent.futures.as_completed(runs):
            reports = done.result()
            left += runs[done] if reports is None else 0
            count += 0 if reports is None else runs[done]
            for name, text in (reports or {}).items():
                told.add(name)
                print(f"{name} {text}", flush=True)
    print(f"compute-sanitizer reports on {len(told)} of {len(jobs)} pipelines; {count} runs, {left} left out for want of time")
    return bool(told)


def parse():
    args = argparse.ArgumentParser(description=__doc__)
    args.add_argument("--device", type=int, default=0)
    args.add_argument("--size", type=int, default=4096, help="rows and columns of the timed images")
    args.add_argument("--only", default="", help="parts of the names of the samples to run, with their folders, with commas between")
    args.add_argument("--unchecked", action="store_true", help="time only; the interpreter takes minutes for some samples")
    args.add_argument("--bench", type=int, default=20, help="measurements for each pipeline; 0 for none")
    args.add_argument("--nvidia", action="store_true", help="look at NVIDIA's OpenCL driver alone")
    args.add_argument("--target", default="opencl,cuda,graph", help="targets, with commas between; graph is CUDA with calls as graphs")
    args.add_argument("--sm", default="native", help="what nvcc builds for, as sm_90")
    args.add_argument("--workers", type=int, default=os.cpu_count(), help="pipelines that are checked at a time")
    args.add_argument("--sanitize", action="store_true", help="run compute-sanitizer's tools over the CUDA projects instead")
    args.add_argument("--all", action="store_true", help=f"check and time, then run compute-sanitizer's tools, within {ALL} seconds where --budget says nothing else")
    args.add_argument("--budget", type=float, help="seconds after which nothing more is looked at; with --all nothing is timed in the last part of it")
    args = args.parse_args()
    args.targets = args.target.split(",")
    budget = args.budget or (ALL if args.all else float("inf"))
    args.deadline = monotonic() + budget
    args.timed = monotonic() + budget * (TIMED if args.all else 1)
    if args.nvidia:
        nvidia_alone()
    return args


def row(job, verdicts, times, share):
    line = f"{job[0] + '/' + job[1]:<40}"
    for t, verdict in verdicts.items():
        line += f"{verdict:<9}" + (f"{times[t][0]:>9.4f}  " if t in times else " " * 11)
    line += f"{times['cuda'][0] / times['opencl'][0]:>7.3f}" if "cuda" in times and "opencl" in times else " " * 7
    print(line + share, flush=True)


def table(jobs, pool, args):
    """Checks pipelines, then times them, and prints the table; the number of those that are wrong."""
    print(f"{'pipeline':<40}" + "".join(f"{t:<11}{'ms':>7}  " for t in args.targets) + "   ratio  GB/s  of copy")
    verdicts = [dict.fromkeys(args.targets, "not run") for _ in jobs]
    if not args.unchecked:
        for k, found in enumerate(pool.map(lambda j: check(j, args), jobs)):
            verdicts[k] = found
            row(jobs[k], found, {}, "")
    if args.bench:
        time_all(jobs, verdicts, pool, args)
    wrong = sum(any(v in ("DIFFERS", "FAILED") or v == "not run" and not args.unchecked for v in found.values()) for found in verdicts)
    print(f"{wrong} of {len(jobs)} pipelines differ or failed", flush=True)
    return wrong


def time_all(jobs, verdicts, pool, args):
    """Times pipelines one after the other, those of testsuite/gpu first, until the time for that is over, and prints the rows again."""
    ceiling, left = Ceiling(args), 0
    order = sorted(range(len(jobs)), key=lambda k: not jobs[k][0].startswith("gpu/"))
    with tempfile.TemporaryDirectory() as folder:

        def prepare(k):
            os.mkdir(os.path.join(folder, str(k)))
            return Case(*jobs[k], (args.size, args.size), os.path.join(folder, str(k)))

        ready = collections.deque()
        for n, k in enumerate(order):
            if monotonic() > args.timed:
                left += 1
                continue
            while len(ready) <= min(AHEAD, len(order) - n - 1):
                ready.append(pool.submit(prepare, order[n + len(ready)]))
            case = ready.popleft().result()
            times, share = time_targets(case, verdicts[k], ceiling, args)
            row(jobs[k], verdicts[k], times, share)
            shutil.rmtree(case.folder)
        for prepared in ready:
            prepared.result()
    if left:
        print(f"{left} pipelines not timed for want of time", flush=True)


def time_targets(case, verdicts, ceiling, args):
    """The times of one pipeline by target, and the words on the fastest; notes failures in verdicts."""
    times = {}
    for t in args.targets:
        if t == "graph" and not case.has_graph():
            continue
        try:
            times[t] = time(case, t, args)
        except (RuntimeError, OSError) as e:
            verdicts[t] = "FAILED"
            print(e, file=sys.stderr)
    if not times:
        return times, ""
    best = min(median for median, _ in times.values())
    return times, f"{case.bytes() / best / 1e6:>7.0f}{100 * ceiling.milliseconds(case.bytes()) / best:>6.0f} %"


def main():
    args = parse()
    projects = [os.path.relpath(f, ROOT) for f in sorted(glob.glob(os.path.join(ROOT, "*", "*", "")))]
    wanted = [p for p in projects if p == "gpu/copy" or any(o in p for o in args.only.split(","))]
    jobs = [(p, name, images, len(pipelines(p)) == 1) for p in wanted if p != "gpu/copy" for name, images in pipelines(p)]
    pool = concurrent.futures.ThreadPoolExecutor(args.workers)
    if {"cuda", "graph"} & set(args.targets) or args.sanitize:
        run(["gcc", "-std=c99", "-O2", MANY + ".c", "-o", MANY, "-ldl"])
        for p, done in [(p, pool.submit(build, p, args.sm)) for p in wanted]:
            if done.exception():
                print(f"{p}: {done.exception()}", file=sys.stderr, flush=True)
    wrong = 0 if args.sanitize else table(jobs, pool, args)
    reports = (args.sanitize or args.all) and sanitize_all(jobs, pool, args)
    sys.exit(1 if wrong or reports else 0)


if __name__ == "__main__":
    main()
