#!/usr/bin/env python3
"""Compares what a GPU computes of NaN, infinities, zeros of both signs, denormal and huge numbers with the reference interpreter, bit by bit, through OpenCL and CUDA.

prepare.sh first, which calls special.py --write for the program. Then: testsuite/gpu/special.py [--mode strict,contract,fast] [--target opencl,cuda] [--device N]
[--sm native] [--nvidia]. Prints a line for each mode and target, and below it the expressions that differ, with a case of each. In contract mode, in which compilers
may round a product with a sum, numbers need not be equal but near, and products of operands that overflow or vanish are left out; what is NaN, infinite or zero, and its sign, is compared there, too.
In fast mode the tests and clamps of NaN and the whole powers are looked at alone, and neither denormal numbers nor the signs of zeros. Exit status 1 where anything differs.
"""
import argparse
import itertools
import os
import re
import sys

CLAMPED = ["a", "a*b", "a + b", "a - b", "a*b + c", "fma(a, b, c)", "sqrt(a)", "a / b", "sum([a, b, c])", "abs(a)", "-a"]
CLAMPS = ["max(min({}, 1), 0)", "max(0, min(1, {}))", "min(max({}, 0), 1)", "clamp({}, 0, 1)", "max(min({}, 2), 0)"]
UNARY = ["-a", "abs(a)", "sign(a)", "floor(a)", "ceil(a)", "round(a)", "trunc(a)", "fract(a)", "sqrt(a)", "a + 1", "a * 0.5", "1 / a", "a*a", "a - a", "0 * a", "0 - a"]
BINARY = ["a + b", "a - b", "a * b", "a / b", "min(a, b)", "max(a, b)", "min(b, a)", "a % b", "mod(a, b)", "step(a, b)", "a*b + c", "c - a*b", "fma(a, b, c)",
          "mix(a, b, c)", "smoothstep(a, b, c)", "clamp(a, b, c)", "min(min(a, b), c)", "max(max(a, b), c)", "max(min(a, b), c)", "sum([a, b, c])", "mean([a, b, c])",
          "max([a, b, c])", "median([a, b, c])", "f32x4(a, b, c, a).w", "(f32x4(a) * f32x4(b)).z", "min(f32x2(a, b), f32x2(b, c)).y", "dot(f32x2(a, b), f32x2(b, c))",
          "f32(f64(a) * f64(b))", "f32(f64(a) / f64(b))", "f32(f16(a) * f16(b))", "f32(f16(a) + f16(b))", "f32(bf16(a) + bf16(b))"]
TESTS = ["isnan(a)", "isinf(a)", "a != a", "a == b", "a != b", "a < b", "a <= b", "a > b", "a >= b", "!(a < b)", "a < b || a > b", "isnan(a * b)", "isnan(a - a)"]
KINDS = ["i8", "i16", "i32", "i64", "u8", "u16", "u32", "u64", "f16", "bf16", "f64"]
POWERS = [f"pow(a, {n})" for n in (0, 1, 2, 3, 4, 5, 7, 8, 16, -1, -2, -3)]
CLAMPED_OTHERWISE = ["f32(max(min(f16(a), f16(1)), f16(0)))", "max(min(f32x4(a, b, c, a), f32x4(1)), f32x4(0)).y", "max(a < b ? min(a, 1) : min(c, 1), 0)",
                     "a * max(min(b, 1), 0)", "max(min(max(min(a, 1), 0) * b, 1), 0)", "1 - max(min(a, 1), 0)"]

OF_NAN = [f"{t} ? 1.0 : 0.0" for t in TESTS] + [c.format(x) for x in CLAMPED[:4] for c in CLAMPS] + CLAMPED_OTHERWISE + POWERS[:9]
EXPRESSIONS = list(dict.fromkeys(UNARY + BINARY + OF_NAN + [c.format(x) for x in CLAMPED for c in CLAMPS] + POWERS + [f"f32({k}(a))" for k in KINDS] +
                                 [f"f32(sat<{k}>(a))" for k in KINDS if k[0] in "iu"]))
VALUES = [float("nan"), float("inf"), float("-inf"), 0.0, -0.0, 1.0, -1.0, 0.5, 2.0, -3.0, 1 / 3, 255.5, 16777217.0, 3e9, -3e9, 3e38, -3e38, 1.2e-38, 1e-40, -1e-40, 1e-45, 1e-30]
SMALLEST = 2.0 ** -126  # of normal numbers
NEAR = 1e-5  # of the operands' or the result's magnitude, in contract mode


def program():
    """A pipeline for each expression, so that compilers see each by itself."""
    text = "// Written by special.py: what devices compute of special values.\n"
    for k, e in enumerate(EXPRESSIONS):
        lets = "".join(f"        let {x} = {image}[i];\n" for x, image in zip("abc", "pqr") if re.search(rf"\b{x}\b", e))
        text += f"pipeline e{k:03}(in p: f32[N], in q: f32[N], in r: f32[N], out d: f32[N]) {{\n    iterate (i) over d {{\n{lets}        d[i] = {e};\n    }}\n}}\n"
    return text


def differs(np, want, got, operands, mode):
    """Where results are not what they have to be: of NaN any will do."""
    same = (want.view(np.uint32) == got.view(np.uint32)) | np.isnan(want) & np.isnan(got)
    if mode == "strict":
        return ~same
    with np.errstate(all="ignore"):
        largest = np.nan_to_num(np.maximum.reduce([np.abs(x) for x in operands + [want]]).astype(np.float64), nan=0, posinf=0)
        near = np.isfinite(want) & np.isfinite(got) & (want != 0) & (np.abs(want.astype(np.float64) - got) <= NEAR * np.maximum(largest, largest**2))
        pairs = [(x, y) for x in operands for y in operands]
        overflow = np.any([~np.isfinite(x * y) & np.isfinite(x) & np.isfinite(y) for x, y in pairs], axis=0)
        tiny = np.abs(want - got) < SMALLEST
        underflow = tiny & np.any([(np.abs(x * y) < SMALLEST) & (x != 0) & (y != 0) for x, y in pairs], axis=0)
    if mode == "contract":
        return ~(same | near | overflow | underflow)
    vanishing = np.any([(x != 0) & (np.abs(x) < SMALLEST) for x in operands + [want]], axis=0)
    return ~(same | near | overflow | vanishing | (want == 0) & (got == 0))


def run_mode(check, np, mode, args, folder):
    """Prints how a mode's results compare; whether any differs."""
    project = f"special_{mode}/special"
    jobs = [(project, name, images, False) for name, images in check.pipelines(project)]
    if mode == "fast":
        jobs = [j for j in jobs if EXPRESSIONS[int(j[1][1:])] in OF_NAN]
    pairs = np.array(list(itertools.product(VALUES, VALUES)), dtype=np.float32)
    operands = [pairs[:, 0], pairs[:, 1], np.array((VALUES[7:] + VALUES[:7]) * len(VALUES), dtype=np.float32)]
    inputs, cases = check.Inputs(folder), []
    for k, job in enumerate(jobs):
        at = os.path.join(folder, job[1])
        os.mkdir(at)
        case = check.Case(job, (len(pairs), 1), at, inputs, {"N": len(pairs)})
        cases.append(case)
    for place in range(3):
        np.save(cases[0].path(cases[0].images[place], "in"), operands[place])
    for case in cases:
        case.reference()
    wrong = False
    for opencl, runs, commands in check.sessions(cases, args.targets, args.device):
        if not opencl:
            check.build(project, args.sm)
        printed = check.run_together(commands)
        lines = []
        for (case, target), failed in zip(runs, check.failures(printed)):
            e = EXPRESSIONS[int(case.name[1:])]
            if failed:
                lines.append(f"    {e}: failed")
                continue
            want, got = case.images[3].load(case.path(case.images[3], "ref")), case.images[3].load(case.path(case.images[3], target))
            off = np.flatnonzero(differs(np, want, got, operands, mode))
            if len(off):
                i = off[0]
                lines.append(f"    {e}: {len(off)} of {len(want)} differ; of {', '.join(f'{n} = {x[i]:.9g}' for n, x in zip('abc', operands))} "
                             f"{got[i]:.9g} for {want[i]:.9g}")
        print(f"{mode:<9}{'opencl' if opencl else 'cuda':<7} {len(runs)} expressions, {len(VALUES)**2} operands each: {len(lines)} differ", *lines, sep="\n", flush=True)
        wrong = wrong or bool(lines)
    return wrong


def main():
    args = argparse.ArgumentParser(description=__doc__)
    args.add_argument("--write", help="only write the program to this file")
    args.add_argument("--mode", default="strict,contract,fast")
    args.add_argument("--target", default="opencl,cuda")
    args.add_argument("--device", type=int, default=0)
    args.add_argument("--sm", default="native", help="what nvcc builds for, as sm_90")
    args.add_argument("--nvidia", action="store_true", help="look at NVIDIA's OpenCL driver alone")
    args = args.parse_args()
    if args.write:
        with open(args.write, "w") as f:
            f.write(program())
        return
    import tempfile

    import numpy as np

    import check
    args.targets = args.target.split(",")
    if args.nvidia:
        check.nvidia_alone()
    check.run(["gcc", "-std=c99", "-O2", "-rdynamic", check.MANY + ".c", os.path.join(check.ROOT, "programs.c"), "-o", check.MANY, "-ldl"])
    wrong = False
    for mode in args.mode.split(","):
        with tempfile.TemporaryDirectory() as folder:
            wrong = run_mode(check, np, mode, args, folder) or wrong
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
