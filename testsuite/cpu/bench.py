#!/usr/bin/env python3
"""Times the kernels that imgc makes for a CPU against OpenCV's functions, both in one process on the same images.

    go build -o build/imgc ./cmd/imgc && testsuite/cpu/bench.py [--imgc build/imgc] [--arch pocl-cpu] [--only TEXT] [--rounds 25]

Builds testsuite/cpu/kernels.img to a C library, runs each pipeline and its peer of OpenCV in turns on 1920 x 1080 pixels, and prints
the minimum of each, their ratio, and how far the results are apart at most. Needs gcc, an OpenCL driver for the CPU and Python's cv2 and
numpy; where they are missing it says so and ends with status 2. Status 1 where a result is farther from OpenCV's than its roundings
explain.
"""
import argparse
import ctypes as C
import os
import shutil
import subprocess
import sys
import tempfile
import time

try:
    import cv2
    import numpy as np
except ImportError as e:
    print(f"{e}: the peers are those of Python's OpenCV (python3-opencv of Debian)", file=sys.stderr)
    sys.exit(2)

HERE = os.path.dirname(os.path.abspath(__file__))
H, W = 1080, 1920
CPU = 1 << 1  # CL_DEVICE_TYPE_CPU
READ_WRITE_COPY = 1 << 0 | 1 << 5


class Buffer(C.Structure):
    """An image in device memory as the generated library takes it."""
    _fields_ = [("memory", C.c_void_p), ("offset", C.c_int64), ("extent", C.c_int64 * 4), ("pitch", C.c_int64)]


class Device:
    """The first OpenCL device that is a CPU."""

    def __init__(self):
        try:
            self.cl = cl = C.CDLL("libOpenCL.so.1")
        except OSError as e:
            raise SystemExit2(e)
        for f in ("clCreateContext", "clCreateCommandQueue", "clCreateBuffer"):
            getattr(cl, f).restype = C.c_void_p
        platforms, count = (C.c_void_p * 8)(), C.c_uint()
        cl.clGetPlatformIDs(8, platforms, C.byref(count))
        self.device = C.c_void_p()
        for p in platforms[:count.value]:
            if cl.clGetDeviceIDs(C.c_void_p(p), C.c_uint64(CPU), 1, C.byref(self.device), None) == 0:
                break
        else:
            raise SystemExit2("there is no OpenCL driver for the CPU")
        self.context = C.c_void_p(cl.clCreateContext(None, 1, C.byref(self.device), None, None, None))
        self.queue = C.c_void_p(cl.clCreateCommandQueue(self.context, self.device, C.c_uint64(0), None))
        name = C.create_string_buffer(256)
        cl.clGetDeviceInfo(self.device, 0x102B, C.c_size_t(256), name, None)  # CL_DEVICE_NAME
        self.name = name.value.decode()

    def image(self, a, extent=None):
        """An array as an image; of several planes with their number as an extent, else of rows and columns."""
        memory = self.cl.clCreateBuffer(self.context, C.c_uint64(READ_WRITE_COPY), C.c_size_t(a.nbytes), a.ctypes.data_as(C.c_void_p), None)
        b = Buffer(memory, 0, (C.c_int64 * 4)(*(extent or a.shape[:2])), 0)
        b.array = a
        return b

    def read(self, b):
        out = np.empty_like(b.array)
        self.cl.clEnqueueReadBuffer(self.queue, C.c_void_p(b.memory), 1, C.c_size_t(0), C.c_size_t(out.nbytes), out.ctypes.data_as(C.c_void_p), 0, None, None)
        return out


class SystemExit2(SystemExit):
    """What the bench needs is missing."""

    def __init__(self, why):
        print(why, file=sys.stderr)
        super().__init__(2)


class Library:
    """The generated library of a program, built for the CPU; a schedule is a file, or None."""

    def __init__(self, device, imgc, program, arch, size, schedule, folder):
        self.stem = os.path.splitext(os.path.basename(program))[0]
        project = tempfile.mkdtemp(dir=folder)
        command = [imgc, "build", program, "-o", os.path.join(project, "p"), "--arch", arch, "--size", size]
        subprocess.run(command + (["--schedule", schedule] if schedule else []), check=True)
        shared, project = os.path.join(project, "library.so"), os.path.join(project, "p")
        subprocess.run(["gcc", "-std=c99", "-O2", "-shared", "-fPIC", "-I", os.path.join(project, "include"),
                        os.path.join(project, "src", self.stem + ".c"), "-o", shared, "-l:libOpenCL.so.1", "-lm"], check=True)
        self.lib, self.device, self.self = C.CDLL(shared), device, C.c_void_p()
        log = C.create_string_buffer(1 << 16)
        if self.function("create_log")(device.context, device.device, C.byref(self.self), log, C.c_size_t(len(log))):
            raise SystemExit(log.value.decode())
        self.function("last_error").restype = C.c_char_p

    def function(self, name):
        return getattr(self.lib, f"{self.stem}_{name}")

    def call(self, pipeline, *images):
        several = f"{pipeline}_enqueue"  # a program of one pipeline has shorter names
        f = self.function(several if hasattr(self.lib, f"{self.stem}_{several}") else "enqueue")
        pointers = [C.byref(b) if isinstance(b, C.Structure) else b for b in images]  # scalars are passed by value
        finish, queue = self.device.cl.clFinish, self.device.queue

        def run(calls=1):
            for _ in range(calls):
                if f(self.self, queue, *pointers, 0, None, None):
                    raise SystemExit(f"{pipeline}: " + self.function("last_error")(self.self).decode())
            finish(queue)
        return run


def cases():
    """Pipeline, images in and out, the peer, the greatest difference that roundings explain, and whether it is relative."""
    rng = np.random.default_rng(1)
    y, x = np.mgrid[0:H, 0:W]
    u8 = ((np.sin(x / 7) + np.cos(y / 5)) * 60 + 128 + rng.integers(-8, 9, (H, W))).clip(0, 255).astype(np.uint8)
    rgb = np.stack([u8, np.roll(u8, 7, 0), np.roll(u8, 9, 1)], 2).copy()
    f32 = u8.astype(np.float32)
    edge = cv2.BORDER_REPLICATE

    def bell(n, sigma):
        g = np.exp(-(np.arange(n) - n // 2) ** 2.0 / (2 * sigma * sigma))
        return g.astype(np.float32)

    odd = np.array([[((7 * y + 3 * x + y * x * x) % 11) / 2048 for x in range(-7, 8)] for y in range(-7, 8)], np.float32)
    out8, outf = np.zeros_like(u8), np.zeros_like(f32)
    a, b = np.zeros((H, W), np.int16), np.zeros((H, W), np.int16)
    half, small = np.zeros((H // 2, W // 2), np.uint8), np.zeros((720, 1280), np.uint8)

    def sobel():
        dx, dy = cv2.spatialGradient(u8, a, b, 3, edge)
        return cv2.add(cv2.convertScaleAbs(dx), cv2.convertScaleAbs(dy), dst=out8)

    b5, b15 = bell(5, 1.25), bell(15, 3.75)
    disc = cv2.getStructuringElement(cv2.MORPH_RECT, (3, 3))
    return [
        ("gauss_3x3_u8", u8, out8, lambda: cv2.GaussianBlur(u8, (3, 3), 0, dst=out8, borderType=edge), 1, False),
        ("gauss_5x5_u8", u8, out8, lambda: cv2.GaussianBlur(u8, (5, 5), 0, dst=out8, borderType=edge), 1, False),
        ("separable_5_f32", f32, outf, lambda: cv2.sepFilter2D(f32, -1, b5, b5, dst=outf, borderType=edge), 1e-5, True),
        ("separable_15_f32", f32, outf, lambda: cv2.sepFilter2D(f32, -1, b15, b15, dst=outf, borderType=edge), 1e-5, True),
        ("mask_15x15_f32", f32, outf, lambda: cv2.filter2D(f32, -1, odd, dst=outf, borderType=edge), 1e-4, True),
        ("sobel_u8", u8, out8, sobel, 0, False),
        ("dilate_3x3_u8", u8, out8, lambda: cv2.dilate(u8, disc, dst=out8, borderType=edge), 0, False),
        ("bilateral_u8", u8, out8, lambda: cv2.bilateralFilter(u8, 9, 30, 3, dst=out8, borderType=edge), 1, False),
        ("grey_u8", rgb, out8, lambda: cv2.cvtColor(rgb, cv2.COLOR_RGB2GRAY, dst=out8), 1, False),
        ("histogram_u8", u8, np.zeros(256, np.uint32), lambda: cv2.calcHist([u8], [0], None, [256], [0, 256]).ravel(), 0, False),
        ("sum_f32", f32, np.zeros(1, np.float32), lambda: np.array(cv2.sumElems(f32)[:1]), 1e-5, True),
        ("pyramid_u8", u8, half, lambda: cv2.pyrDown(u8, dst=half), 1, False),
        ("resize_u8", u8, small, lambda: cv2.resize(u8, (1280, 720), dst=small, interpolation=cv2.INTER_LINEAR), 1, False),
    ]


def difference(got, want, relative):
    d = np.abs(got.astype(np.float64) - np.asarray(want, np.float64))
    return (d / np.maximum(1, np.abs(want))).max() if relative else d.max()


def best(runs, rounds, clock):
    """The minimum of each of the functions, which take turns, by a clock in seconds."""
    least = [float("inf")] * len(runs)
    for _ in range(rounds):
        for i, f in enumerate(runs):
            for _ in range(5):
                start = clock()
                f()
                least[i] = min(least[i], clock() - start)
    return [1e3 * t for t in least]


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--imgc", default=os.path.join(HERE, "..", "..", "build", "imgc"))
    p.add_argument("--arch", default="pocl-cpu", help="the architecture model to plan for")
    p.add_argument("--schedule", help="a file with schedules that take precedence")
    p.add_argument("--only", default="", help="a part of the names of the pipelines to run")
    p.add_argument("--rounds", type=int, default=25)
    p.add_argument("--calls", type=int, default=1, help="so many before the host waits for them, as pipelines have; a thread that sleeps is late for the first one")
    p.add_argument("--threads", type=int, default=2, help="of both; with 1 a machine that does other work as well disturbs least")
    p.add_argument("--cpu-time", action="store_true", help="time that threads run, of all together, instead of time that passes: for a machine that others use")
    args = p.parse_args()
    if not shutil.which("gcc"):
        raise SystemExit2("gcc is missing")
    os.environ["POCL_MAX_PTHREAD_COUNT"] = str(args.threads)
    cv2.setNumThreads(args.threads)
    cv2.ocl.setUseOpenCL(False)
    device = Device()
    print(f"{device.name}; OpenCV {cv2.__version__}, {cv2.getNumThreads()} threads; minima of {5 * args.rounds} in ms")
    print(f"{'pipeline':<20}{'imgc':>9}{'OpenCV':>9}{'ratio':>7}  difference")
    wrong = 0
    with tempfile.TemporaryDirectory() as folder:
        program = os.path.join(HERE, "kernels.img")
        library = Library(device, args.imgc, program, args.arch, f"{H}x{W}", args.schedule, folder)
        for name, src, dst, peer, bound, relative in cases():
            if args.only not in name:
                continue
            out = device.image(np.zeros_like(dst))
            run = library.call(name, device.image(src), out)
            run()
            off = difference(device.read(out), np.copy(peer()), relative)
            wrong += off > bound
            several = [lambda: run(args.calls), lambda: [peer() for _ in range(args.calls)]]
            ours, theirs = (t / args.calls for t in best(several, args.rounds, time.process_time if args.cpu_time else time.perf_counter))
            print(f"{name:<20}{ours:>9.3f}{theirs:>9.3f}{theirs / ours:>7.2f}  {off:.3g}{'' if off <= bound else ' WRONG'}", flush=True)
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
