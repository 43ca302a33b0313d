#!/usr/bin/env python3
"""Runs every sample's generated projects on a GPU, for OpenCL and for CUDA, compares them with the reference interpreter and times them.

Run prepare.sh first. Then: testsuite/gpu/check.py [--device N,...] [--size 4096 or HxW] [--only TEXT] [--unchecked] [--together N] [--nvidia] [--target T]. With
--nvidia the OpenCL loader is pointed at NVIDIA's driver alone. CUDA projects are built here, for the device's architecture or --sm.
Prints a table: pipeline, and for each target (OpenCL, CUDA, and CUDA with its calls as graphs) whether it is equal or close to the
interpreter's result (as far apart as roundings explain, or no farther than it moves itself when the last bits of its inputs do), and its time; then CUDA's time as a share of OpenCL's, and the share of the speed that the best copy of as many
bytes (each input read once, each output written once) reaches in the same run, for the fastest target. A row is printed as soon as it is
known: first what is right, then, once nothing else runs on that device, with times; at the end those whose CUDA takes longest beside OpenCL.
A project's pipelines run in one process for each target (many.c), since drivers take long to build an OpenCL program; programs are built
beside what is timed. With --sanitize compute-sanitizer's four tools look at the CUDA projects at small sizes instead, several pipelines in
one process. With --against another folder that prepare.sh has filled, as from an older commit, both are timed in turn, project by project, and the table has their ratios, with
geometric means and those over --slower. With --all everything is done in one call, within --budget seconds: testsuite/gpu first, so that what is left out for want of
time is what matters least. Where there are several devices, all of them are used. Exit status 1 where a result differs or a tool reports
something.
"""
import argparse
import concurrent.futures
import contextlib
import glob
import math
import os
import re
import subprocess
import sys
import tempfile
import threading
from time import monotonic

import numpy as np

SETS, CACHED = 4, 200e6  # sets of buffers that calls take in turn, and bytes that they hold where nothing may be found in a cache
MOST_SETS = 10000  # that a demo program takes
COLD = False
IN_GRAPH = 0  # calls of CUDA that are timed in one graph; 0 for each by itself
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
NUDGES = 3  # runs of the interpreter on inputs whose last bits differ
LIMIT = 120  # seconds for a process on a device, once its programs are built
MANY = os.path.join(ROOT, "many")  # runs demo programs that are shared libraries
SMALL = ((1, 1), (37, 53))  # checked sizes, and one more:
LARGE = ((480, 640), (97, 131))  # the second where the interpreter takes long:
SLOW = 0.15  # seconds for the last of the small ones
SLOWER = 1.03  # times that CUDA may take of OpenCL's
ALL = 540  # seconds for everything in one call
TIMED = 0.6  # of the budget are over when timing ends and compute-sanitizer starts


class Image:
    def __init__(self, direction, name, kind, lanes, extents):
        self.direction, self.name, self.lanes, self.extents = direction, name, lanes, extents
        self.dtype = np.dtype(KINDS[kind])

    def shape(self, sizes):
        shape = [int(eval(e.replace("/", "//"), {}, dict(sizes))) for e in self.extents]
        return shape + ([self.lanes] if self.lanes > 1 else [])

    def load(self, path):
        """The pixels of a file; of bf16, for which NumPy has no type, so that programs write other ones, the bits."""
        pixels = np.load(path)
        return pixels.view(self.dtype) if pixels.dtype.kind == "V" else pixels

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


def devices():
    """The numbers of NVIDIA's devices that this process sees; the first device where there is no such driver."""
    seen = os.environ.get("CUDA_VISIBLE_DEVICES")
    if seen is not None:
        return list(range(len(seen.split(","))))
    try:
        return list(range(len(re.findall(r"^GPU ", run(["nvidia-smi", "-L"]), re.M)))) or [0]
    except (RuntimeError, OSError):
        return [0]


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


def extents(text):
    """Rows and columns from HxW, or from one number for both."""
    h, _, w = text.partition("x")
    return int(h), int(w or h)


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


def distances(a, b):
    """How far apart the components of two arrays of one shape are: 0 for two NaN, infinite where one is finite and the other is not."""
    x, y = a.astype(np.float64), b.astype(np.float64)
    with np.errstate(invalid="ignore"):
        return np.where((x == y) | np.isnan(x) & np.isnan(y), 0, np.nan_to_num(np.abs(x - y), nan=np.inf))


def farthest(a, b):
    return float(distances(a, b).max(initial=0))


def apart(name, a, b):
    """The words on two arrays that differ: how many components, and where most."""
    if a.shape != b.shape or a.dtype != b.dtype:
        return f"{name}: {a.dtype}{list(a.shape)} and {b.dtype}{list(b.shape)}"
    off = distances(a, b)
    at = np.unravel_index(off.argmax(), off.shape)
    return f"{name}: {np.count_nonzero(off)} of {off.size} components, most at {[int(i) for i in at]}, {b[at]} for {a[at]}"


def worse(a, b):
    return max(a, b, key=ORDER.index)


class Inputs:
    """Files with random images, one for all pipelines that take an image of that kind and shape in that place."""

    def __init__(self, folder):
        self.folder, self.lock, self.locks = folder, threading.Lock(), {}
        self.nowhere = os.path.join(folder, "nowhere.npy")  # for results that nobody looks at, of a kind that demo programs know
        os.symlink(os.devnull, self.nowhere)

    def path(self, image, sizes, place):
        shape = image.shape(sizes)
        path = os.path.join(self.folder, f"{place}-{image.dtype.str[1:]}-{'x'.join(map(str, shape))}.npy")
        with self.lock:
            lock = self.locks.setdefault(path, threading.Lock())
        with lock:
            if not os.path.exists(path):
                np.save(path, image.random(sizes, np.random.default_rng(1 + place)))
        return path


class Case:
    """One pipeline at one size. folder: for what it writes; None where nobody looks at that."""

    def __init__(self, job, size, folder, inputs, sizes=None):
        self.project, self.name, self.images, self.only = job
        self.folder, self.nowhere, self.nudged = folder, inputs.nowhere, None
        self.sizes = sizes or sizes_of(self.images, size)
        known = set()
        for m in self.images:
            if m.direction != "out":
                for e in m.extents:
                    known.update(re.findall(r"[A-Za-z_]\w*", e))
        self.unbound = [n for n in self.sizes if n not in known]
        self.inputs = {m.name: inputs.path(m, self.sizes, k) for k, m in enumerate(self.images) if m.direction != "out"}

    def path(self, m, what):
        """what: "in", or who writes the file."""
        if what == "in":
            return self.inputs[m.name]
        return os.path.join(self.folder, f"{m.name}.{what}.npy") if self.folder else self.nowhere

    def settings(self):
        return [w for n in self.unbound for w in ("--set", f"{n}={self.sizes[n]}")]

    def reference(self, inputs="in", out="ref"):
        """Runs the interpreter on the inputs, or on those that last_bits has made of them."""
        command = [os.path.join(ROOT, "imgc"), "run", os.path.join(ROOT, self.project, os.path.basename(self.project) + ".img"), "--device", "ref",
                   "--pipeline", self.name, "--fp", "strict"] + self.settings()
        for m in self.images:
            if m.direction != "out":
                command += ["--in", f"{m.name}={self.path(m, inputs)}"]
            if m.direction != "in":
                command += ["--out", f"{m.name}={self.path(m, out)}"]
        run(command)

    def moves(self, m):
        """How far rounding alone may bring an image of floats: what its inputs' last bits make of the interpreter's result."""
        self.nudged = self.nudged or self.last_bits()
        return self.nudged[m.name]

    def last_bits(self):
        """For each image that is written how far apart the interpreter's results are, at most, for inputs of floats that differ by their last
        bits."""
        most = {m.name: 0.0 for m in self.images if m.direction != "in"}
        for seed in range(NUDGES):
            rng = np.random.default_rng(seed)
            for m in self.images:
                if m.direction == "out":
                    continue
                image = m.load(self.path(m, "in"))
                if image.dtype.kind == "f":
                    image = np.nextafter(image, np.where(rng.integers(0, 2, image.shape) == 1, np.inf, -np.inf).astype(image.dtype))
                np.save(self.path(m, f"nudged{seed}-in"), image)
            self.reference(f"nudged{seed}-in", f"nudged{seed}")
            for m in self.images:
                if m.direction != "in":
                    most[m.name] = max(most[m.name], farthest(m.load(self.path(m, "ref")), m.load(self.path(m, f"nudged{seed}"))))
        return most

    def accepted(self):
        """Runs the interpreter; false where it refuses the size, as a border or an assumption may."""
        try:
            self.reference()
            return True
        except RuntimeError as e:
            if "internal error" in str(e):
                raise
            return False

    def sets(self):
        """How many sets of buffers calls take in turn: as many as no cache holds, where COLD, so that none finds what the last ones left."""
        return min(MOST_SETS, max(SETS, math.ceil(CACHED / max(self.bytes(), 1)))) if COLD else SETS

    def has_graph(self, root=None):
        """Whether the pipeline's calls may be CUDA graphs: not where it waits for the device in its middle."""
        function = "lib_cuda" + ("" if self.only else "_" + self.name)
        return f"{function}_enqueue_graph(" in open(os.path.join(root or ROOT, self.project, "cuda", "include", "lib_cuda.h")).read()

    def command(self, target, device, bench=0, root=None):
        """What many takes. target: a folder of the project, or "graph": calls of the CUDA project as graphs. root: where projects are, if not in ROOT."""
        command = [os.path.join(root or ROOT, self.project, FOLDERS.get(target, target), "demo", "run.so"), "--device", str(device)] + self.settings()
        if target == "graph":
            command.append("--graph")
        if bench:
            command += ["--bench", str(bench), "--sets", str(self.sets())]
        if bench and target == "cuda" and IN_GRAPH and self.has_graph(root):
            command += ["--together", str(IN_GRAPH)]
        if not self.only:
            command.append(self.name)
        for m in self.images:
            command += [self.path(m, "in")] if m.direction != "out" else []
            command += [self.path(m, target)] if m.direction != "in" else []
        return command

    def difference(self, target):
        """How what a target has written compares with the interpreter's results, and for what differs words on it."""
        found, words = "equal", []
        for m in self.images:
            if m.direction == "in":
                continue
            want, got = m.load(self.path(m, "ref")), m.load(self.path(m, target))
            verdict, rounding = difference(want, got), ""
            if verdict == "DIFFERS" and m.dtype.kind == "f" and want.shape == got.shape:
                rounding = f"; the interpreter's moves by {self.moves(m):.3g} when the last bits of the inputs do"
                if np.isfinite(self.moves(m)) and farthest(want, got) <= self.moves(m):
                    verdict = "close"
            found = worse(found, verdict)
            if verdict == "DIFFERS":
                words.append(f"{self.project}/{self.name} {self.sizes} {target}: {apart(m.name, want, got)}{rounding}")
        return found, words

    def bytes(self):
        return sum(int(np.prod(m.shape(self.sizes))) * m.dtype.itemsize * (2 if m.direction == "inout" else 1) for m in self.images)


def together(commands):
    """The arguments of many for several demo programs."""
    return [word for command in commands for word in command + ["+"]]


def process(commands, builds, lock, until):
    """What one process of many printed, up to its end or until the limit. Where it builds an OpenCL program, that is done before it
    has the device for itself: lock. "" where the time is up (until)."""
    limit = LIMIT + 5 * len(commands)
    start = [MANY] + (["--wait"] if builds else []) + together(commands)
    with contextlib.ExitStack() as alone:
        if not builds:
            alone.enter_context(lock)
        many = subprocess.Popen(start, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace")
        said = built_by(many, limit) if builds else ""
        if builds:
            alone.enter_context(lock)
        if monotonic() > until:
            many.kill()
            many.communicate()
            return ""
        try:
            return said + many.communicate("\n", timeout=limit)[0]
        except subprocess.TimeoutExpired:
            many.kill()
            return said + many.communicate()[0] + f"no end within {limit} s"


def built_by(many, limit):
    """What a process has said when its OpenCL program is built, or it has ended, or has not come to that within the limit."""
    said, slow = "", threading.Timer(limit, many.kill)
    slow.start()
    for line in many.stdout:
        said += line
        if line == "ready\n":
            break
    slow.cancel()
    return said


def run_together(commands, builds=False, lock=contextlib.nullcontext(), until=float("inf")):
    """What demo programs print that run in one process, or a RuntimeError. Behind one that fails, the others go on in a new process; where
    the time is up, the list ends."""
    found = []
    while len(found) < len(commands):
        left = commands[len(found):]
        said = process(left, builds, lock, until)
        if not said:
            break
        parts = re.split(r"^== .*\n", said, flags=re.M)[1:] or [said]
        for command, part in zip(left, parts):
            status = re.search(r"^-- (-?\d+)$", part, re.M)
            good = status is not None and status.group(1) == "0"
            found.append(part if good else RuntimeError(" ".join(command) + "\n" + part[-2000:]))
            if not good:
                break
    return found


def failures(printed):
    """Which of several runs failed; says so, of faults that they share once."""
    for fault in dict.fromkeys(p for p in printed if isinstance(p, Exception)):
        print(fault, file=sys.stderr, flush=True)
    return [isinstance(p, Exception) for p in printed]


def sessions(cases, targets, device, bench=0, root=None):
    """The runs of a project's pipelines by process: whether it builds an OpenCL program, and the targets and commands."""
    for folder in dict.fromkeys(FOLDERS.get(t, t) for t in targets):
        runs = [(c, t) for t in targets if FOLDERS.get(t, t) == folder for c in cases if t != "graph" or c.has_graph(root)]
        yield folder == "opencl", runs, [c.command(t, device, bench, root) for c, t in runs]


def milliseconds(said):
    """The median that a demo program printed."""
    return float(re.search(r"median ([\d.]+) ms", said).group(1))


class Ceiling:
    """Copies of as many bytes as pipelines move, timed in the same processes, each number of bytes once for each device."""

    def __init__(self, inputs):
        self.job = ("gpu/copy", "copy", pipelines("gpu/copy")[0][1], True)
        self.inputs, self.times = inputs, {}

    @staticmethod
    def pixels(bytes):
        return min(max(16, bytes // 2), 1 << 29)  # extents end at 2^30

    def wanted(self, cases, device):
        """The copies that are not known yet for some pipelines."""
        missing = {self.pixels(c.bytes()) for c in cases} - {n for d, n in self.times if d == device}
        return [Case(self.job, (n, n), None, self.inputs, {"N": n}) for n in sorted(missing)]

    def note(self, copy, device, time):
        self.times[device, copy.sizes["N"]] = time

    def milliseconds(self, bytes, device):
        n = self.pixels(bytes)
        return self.times.get((device, n), float("nan")) * max(1, bytes / 2 / n)


def cuda_bytes(project):
    """How long a project's kernels are, by which compilers' time goes."""
    return os.path.getsize(os.path.join(ROOT, project, "cuda", "kernels", "lib_cuda.cu"))


def build(project, sm, root=None):
    """Builds a CUDA project as a shared library, unless it is built, with the flags that its CMake file gives nvcc; warnings are errors."""
    folder = os.path.join(root or ROOT, project, "cuda")
    demo = os.path.join(folder, "demo", "run.so")
    if os.path.exists(demo):
        return
    flags = re.search(r"\$<COMPILE_LANG_AND_ID:CUDA,NVIDIA>:(.*?)>", open(os.path.join(folder, "CMakeLists.txt")).read())
    run(["nvcc", "-arch=" + sm, "-O3", "-Werror", "all-warnings", "-shared", "-Xcompiler", "-fPIC", "-I", os.path.join(folder, "include")] +
        (flags.group(1).split(";") if flags else []) +
        [os.path.join(folder, f) for f in ("kernels/lib_cuda.cu", "src/lib_cuda.c", "demo/main.c", "demo/image.c")] + ["-o", f"{demo}.{os.getpid()}"])
    os.replace(f"{demo}.{os.getpid()}", demo)  # whole, should another run be looking


def accepted(job, folder, inputs):
    """The cases of a pipeline whose sizes the interpreter accepts, with what it computes."""
    found, last = [], 0
    for k in range(len(SMALL) + 1):
        size = SMALL[k] if k < len(SMALL) else LARGE[last > SLOW]
        at = os.path.join(folder, f"{job[0]}/{job[1]}/{k}")
        os.makedirs(at)
        case, start = Case(job, size, at, inputs), monotonic()
        if case.accepted():
            found.append(case)
        last = monotonic() - start
    return found


def check(jobs, references, built, device, args):
    """The verdicts for each target on a project's pipelines. references: their cases; built: its CUDA program; both to wait for."""
    cases = [c for r in references for c in r.result()]
    verdicts = {j[1]: dict.fromkeys(args.targets, "not run") for j in jobs}
    for c in cases:
        if "graph" in args.targets and not c.has_graph():
            verdicts[c.name]["graph"] = "none"
    for opencl, runs, commands in sessions(cases, args.targets, device):
        fault = None if opencl else built.exception()
        printed = [fault] * len(runs) if fault else run_together(commands)
        for (c, t), failed in zip(runs, failures(printed)):
            verdict, words = ("FAILED", []) if failed else c.difference(t)
            verdicts[c.name][t] = worse(verdicts[c.name][t], verdict)
            for w in words:
                print(w, file=sys.stderr, flush=True)
    return [verdicts[j[1]] for j in jobs]


def sanitizable(job, size, folder, inputs):
    """The case of a pipeline at a size and what the interpreter takes for it in seconds; None where it refuses the size."""
    os.mkdir(folder)
    case, start = Case(job, size, folder, inputs), monotonic()
    return (monotonic() - start, case) if case.accepted() else None


def sanitize(cases, tool, device, args):
    """What a tool of compute-sanitizer reports on pipelines, by their names; None where the time is up. Where it reports something on
    several in one process, it looks at them one by one."""
    if monotonic() > args.deadline:
        return None
    command = ["compute-sanitizer", "--error-exitcode", "3", "--tool"] + tool.split() + [MANY] + together([c.command("cuda", device) for c in cases])
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
    alone = [sanitize([c], tool, device, args) for c in cases]
    found = {name: text for reports in alone if reports for name, text in reports.items()}
    return found or {" ".join(f"{c.project}/{c.name}" for c in cases): f"{tool}, in one process only:\n{said}"}


def sanitize_all(jobs, pool, args):
    """Prints what compute-sanitizer reports as it comes; whether there is anything."""
    told, left, count = set(), 0, 0
    with tempfile.TemporaryDirectory() as folder:
        runs, inputs = {}, Inputs(folder)
        for size, tools in SANITIZED:
            tried = pool.map(lambda k: sanitizable(jobs[k], size, os.path.join(folder, f"{size[0]}-{k}"), inputs), range(len(jobs)))
            cases = [c for _, c in sorted(filter(None, tried), key=lambda t: -t[0])]  # the longest first, dealt out to all processes
            rounds = -(-len(cases) // TOGETHER) if cases else 0
            for tool in tools:
                for k in range(rounds):
                    device = args.devices[len(runs) % len(args.devices)]
                    runs[pool.submit(sanitize, cases[k::rounds], tool, device, args)] = len(cases[k::rounds])
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
    args.add_argument("--device", help="numbers of devices, with commas between; all of NVIDIA's where nothing is said")
    args.add_argument("--size", type=extents, default=(4096, 4096), help="rows and columns of the timed images, as 1080x1920; one number for both")
    args.add_argument("--only", default="", help="parts of the names of the samples to run, with their folders, with commas between")
    args.add_argument("--unchecked", action="store_true", help="time only; the interpreter takes minutes for some samples")
    args.add_argument("--bench", type=int, default=20, help="measurements for each pipeline; 0 for none")
    args.add_argument("--together", type=int, default=0, help="time CUDA's calls so many in one graph, as for small images, which launches take longer than")
    args.add_argument("--cold", action="store_true", help="rotate over so many buffers that small images, too, are in memory and not in the last cache")
    args.add_argument("--nvidia", action="store_true", help="look at NVIDIA's OpenCL driver alone")
    args.add_argument("--target", default="opencl,cuda,graph", help="targets, with commas between; graph is CUDA with calls as graphs")
    args.add_argument("--sm", default="native", help="what nvcc builds for, as sm_90")
    args.add_argument("--workers", type=int, default=os.cpu_count(), help="processes at a time, of each sort")
    args.add_argument("--sanitize", action="store_true", help="run compute-sanitizer's tools over the CUDA projects instead")
    args.add_argument("--against", help="another folder that prepare.sh has filled: time both in turn, and print ratios")
    args.add_argument("--rounds", type=int, default=3, help="turns of each folder with --against, of which the least counts")
    args.add_argument("--slower", type=float, default=1.05, help="ratios above this are listed with --against")
    args.add_argument("--all", action="store_true", help=f"check and time, then run compute-sanitizer's tools, within {ALL} seconds where --budget says nothing else")
    args.add_argument("--budget", type=float, help="seconds after which nothing more is looked at; with --all nothing is timed in the last part of it")
    args = args.parse_args()
    args.targets = args.target.split(",")
    args.against = args.against and os.path.abspath(args.against)
    global IN_GRAPH, COLD
    IN_GRAPH, COLD = args.together, args.cold
    args.devices = [int(d) for d in args.device.split(",")] if args.device else devices()
    budget = args.budget or (ALL if args.all else float("inf"))
    args.deadline = monotonic() + budget
    args.timed = monotonic() + budget * (TIMED if args.all else 1)
    if args.nvidia:
        nvidia_alone()
    return args


def row(job, verdicts, times, share):
    line = f"{job[0] + '/' + job[1]:<40}"
    for t, verdict in verdicts.items():
        line += f"{verdict:<9}" + (f"{times[t]:>9.4f}  " if t in times else " " * 11)
    line += f"{times['cuda'] / times['opencl']:>7.3f}" if "cuda" in times and "opencl" in times else " " * 7
    print(line + share, flush=True)


def by_project(jobs):
    """Pipelines by project, testsuite/gpu first."""
    found = {}
    for j in sorted(jobs, key=lambda j: not j[0].startswith("gpu/")):
        found.setdefault(j[0], []).append(j)
    return found


def table(jobs, built, args):
    """Checks pipelines, then times them, and prints the table; the number of those that are wrong. built: CUDA programs to wait for."""
    print(f"{'pipeline':<40}" + "".join(f"{t:<11}{'ms':>7}  " for t in args.targets) + "   ratio  GB/s  of copy")
    verdicts = {j[:2]: dict.fromkeys(args.targets, "not run") for j in jobs}
    if not args.unchecked:
        check_all(jobs, built, verdicts, args)
    if args.bench:
        time_all(jobs, built, verdicts, args)
    wrong = sum(any(v in ("DIFFERS", "FAILED") or v == "not run" and not args.unchecked for v in found.values()) for found in verdicts.values())
    print(f"{wrong} of {len(jobs)} pipelines differ or failed", flush=True)
    return wrong


def check_all(jobs, built, verdicts, args):
    """Checks projects at the same time, and prints their rows; notes verdicts."""
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(args.workers) as interpreters, \
            concurrent.futures.ThreadPoolExecutor(args.workers) as pool:
        inputs, checks = Inputs(folder), []
        for k, (p, group) in enumerate(by_project(jobs).items()):
            references = [interpreters.submit(accepted, j, folder, inputs) for j in group]
            device = args.devices[k % len(args.devices)]
            checks.append((group, pool.submit(check, group, references, built[p], device, args)))
        for group, done in checks:
            for j, found in zip(group, done.result()):
                verdicts[j[:2]] = found
                row(j, found, {}, "")


def time_all(jobs, built, verdicts, args):
    """Times projects, one at a time on each device, until the time for that is over, and prints their rows again; notes failures. What is still being built ends
    before: calls of small images wait for processors that compilers have."""
    if {"cuda", "graph"} & set(args.targets):
        concurrent.futures.wait(built.values())
    ratios, left = {}, 0
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(args.workers) as pool:
        inputs = Inputs(folder)
        ceiling, locks = Ceiling(inputs), {d: threading.Lock() for d in args.devices}
        timed, projects = [], by_project(jobs)
        for p, group in list(projects.items())[:1]:  # what a device times first takes up to a tenth longer: once for nothing
            for d in args.devices:
                time_project(group[:1], inputs, built[p], d, locks[d], Ceiling(inputs), args)
        for k, (p, group) in enumerate(projects.items()):
            device = args.devices[k % len(args.devices)]
            timed.append(pool.submit(time_project, group, inputs, built[p], device, locks[device], ceiling, args))
        for done in concurrent.futures.as_completed(timed):
            for case, times, share in done.result():
                found = verdicts[case.project, case.name]
                found.update((t, "FAILED") for t in times if times[t] is None)
                times = {t: ms for t, ms in times.items() if ms is not None}
                left += not times
                if "cuda" in times and "opencl" in times:
                    ratios[f"{case.project}/{case.name}"] = times["cuda"] / times["opencl"]
                row((case.project, case.name), found, times, share)
    slower = sorted(((r, name) for name, r in ratios.items() if r > SLOWER), reverse=True)
    if ratios:
        print(f"CUDA takes more than {SLOWER} of OpenCL's time for {len(slower)} of {len(ratios)}: " + ", ".join(f"{n} {r:.3f}" for r, n in slower))
    if left:
        print(f"{left} pipelines not timed for want of time", flush=True)


def compare(jobs, built, args):
    """Times projects of two folders in turn and prints what ROOT's take of the other's; the number of pipelines that failed."""
    print(f"{'pipeline':<40}" + "".join(f"{t:<8}{'before':>9}{'after':>9}{'ratio':>7}   " for t in args.targets))
    if {"cuda", "graph"} & set(args.targets):
        concurrent.futures.wait(built.values())
    ratios, failed = {t: {} for t in args.targets}, 0
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(len(args.devices)) as pool:
        inputs, locks = Inputs(folder), {d: threading.Lock() for d in args.devices}
        compared = []
        for k, (p, group) in enumerate(by_project(jobs).items()):
            device = args.devices[k % len(args.devices)]
            compared.append((group, pool.submit(compare_project, group, inputs, built[p], device, locks[device], args)))
        for group, done in compared:
            times = done.result()
            for j in group:
                line = f"{j[0] + '/' + j[1]:<40}"
                for t in args.targets:
                    before, after = times.get((j[1], t, args.against)), times.get((j[1], t, ROOT))
                    if before and after:
                        ratios[t][f"{j[0]}/{j[1]}"] = after / before
                        line += f"{'':<8}{before:>9.4f}{after:>9.4f}{after / before:>7.3f}   "
                    else:
                        line += f"{'':<8}{'none':>9}{'':>16}   "
                failed += not any((j[1], t, ROOT) in times for t in args.targets)
                print(line, flush=True)
    for t, found in ratios.items():
        if found:
            slower = sorted(((r, name) for name, r in found.items() if r > args.slower), reverse=True)
            mean = math.exp(sum(map(math.log, found.values())) / len(found))
            print(f"{t}: geometric mean {mean:.4f} of {len(found)} pipelines; over {args.slower}: {len(slower)} " + ", ".join(f"{n} {r:.3f}" for r, n in slower))
    return failed


def compare_project(jobs, inputs, built, device, lock, args):
    """The least of some medians of a project's pipelines, by name, target and folder: each round times one folder and then the other."""
    cases, times = [Case(j, args.size, None, inputs) for j in jobs], {}
    for turn in range(args.rounds):
        for root in (args.against, ROOT) if turn % 2 == 0 else (ROOT, args.against):
            for opencl, runs, commands in sessions(cases, args.targets, device, args.bench, root):
                if monotonic() > args.timed or not opencl and built.exception():
                    continue
                printed = run_together(commands, opencl, lock, args.timed)
                for (c, t), said, failed in zip(runs, printed, failures(printed)):
                    if not failed:
                        at = (c.name, t, root)
                        times[at] = min(times.get(at, math.inf), milliseconds(said))
    return times


def time_project(jobs, inputs, built, device, lock, ceiling, args):
    """The times of a project's pipelines: their cases, milliseconds by target, None for a failure, and the words on the fastest."""
    cases = [Case(j, args.size, None, inputs) for j in jobs]
    times = {c.name: {} for c in cases}
    for opencl, runs, commands in sessions(cases, args.targets, device, args.bench):
        fault = None if opencl else built.exception()
        copies = ceiling.wanted(cases, device)
        copied = [c.command("opencl" if opencl else "cuda", device, args.bench) for c in copies]
        printed = [fault] * len(runs) if fault else run_together(commands + copied, opencl, lock, args.timed)
        for (c, t), said, failed in zip(runs, printed, failures(printed)):
            times[c.name][t] = None if failed else milliseconds(said)
        for c, said in zip(copies, printed[len(runs):]):
            if isinstance(said, str):
                ceiling.note(c, device, milliseconds(said))
    return [(c, times[c.name], share(c, times[c.name], ceiling, device)) for c in cases]


def share(case, times, ceiling, device):
    """The words on the fastest target: bytes in a second, and the share of a copy's speed."""
    known = [ms for ms in times.values() if ms]
    if not known:
        return ""
    return f"{case.bytes() / min(known) / 1e6:>7.0f}{100 * ceiling.milliseconds(case.bytes(), device) / min(known):>6.0f} %"


def main():
    args = parse()
    projects = [p for p in (os.path.relpath(f, ROOT) for f in sorted(glob.glob(os.path.join(ROOT, "*", "*", "")))) if not p.startswith("special_")]
    wanted = [p for p in projects if p == "gpu/copy" or any(o in p for o in args.only.split(","))]
    if args.against:
        wanted = [p for p in wanted if os.path.isdir(os.path.join(args.against, p))]
    jobs = [(p, name, images, len(pipelines(p)) == 1) for p in wanted if p != "gpu/copy" for name, images in pipelines(p)]
    run(["gcc", "-std=c99", "-O2", "-rdynamic", MANY + ".c", os.path.join(ROOT, "programs.c"), "-o", MANY, "-ldl"])
    pool = concurrent.futures.ThreadPoolExecutor(args.workers)
    built = dict.fromkeys(wanted, concurrent.futures.Future())
    if {"cuda", "graph"} & set(args.targets) or args.sanitize:
        # What all need, then what is timed first, and what takes longest.
        first = sorted(wanted, key=lambda p: (p != "gpu/copy", not p.startswith("gpu/"), -cuda_bytes(p)))
        roots = [ROOT] + [args.against] * bool(args.against)
        built = {p: pool.submit(lambda p: [build(p, args.sm, root) for root in roots], p) for p in first}
        built["gpu/copy"].result()
    if args.against:
        sys.exit(1 if compare(jobs, built, args) else 0)
    wrong = 0 if args.sanitize else table(jobs, built, args)
    reports = (args.sanitize or args.all) and sanitize_all(jobs, pool, args)
    sys.exit(1 if wrong or reports else 0)


if __name__ == "__main__":
    main()
