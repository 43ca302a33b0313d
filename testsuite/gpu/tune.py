#!/usr/bin/env python3
"""Times the schedules that tune.sh has built, each pipeline under each, and compares them with what the cost model says.

Run tune.sh first. Then: testsuite/gpu/tune.py [--device N] [--nvidia] [--size 4096] [--only TEXT]... [--bench 5]. Prints for each pipeline
the time of the schedule that the model ranks first, the best of all that were tried and the model's prediction; then what each decision
brings: the time without it over the time with it. Exit status 1 where the first schedule is more than 10 % behind the best for more
than a fifth of the pipelines.
"""
import argparse
import concurrent.futures
import json
import os
import re
import sys
import tempfile

import check

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "build", "tune")


def minimum(case, device, bench):
    """The least time of a pipeline in microseconds; None where it does not run."""
    try:
        return 1e3 * float(re.search(r"minimum ([\d.]+) ms", case.device(device, bench))[1])
    except RuntimeError as e:
        print(f"{case.project} {case.name}: {e}", file=sys.stderr)
        return None


def measure(args, names, guesses):
    times = {}
    variants = sorted(guesses)
    with tempfile.TemporaryDirectory(dir="/dev/shm" if os.path.isdir("/dev/shm") else None) as folder:
        small = check.Case(variants[0], *names[0], False, (16, 16), tempfile.mkdtemp(dir=folder))
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:  # drivers keep what they have compiled
            list(pool.map(lambda v: at(small, v).device(args.device), variants))
        for name, images in names:
            case = check.Case(variants[0], name, images, False, (args.size, args.size), tempfile.mkdtemp(dir=folder))
            for v in variants:
                if name in guesses[v]:
                    times[name, v] = minimum(at(case, v), args.device, args.bench)
    return times


def at(case, variant):
    """The same call of another project."""
    out = object.__new__(check.Case)
    out.__dict__.update(case.__dict__, project=variant)
    return out


def report(names, guesses, times):
    ranks = [v for v in sorted(guesses) if v.startswith("rank-")]
    omissions = [v for v in sorted(guesses) if v.startswith("without-")]
    print("| pipeline | predicted us | first us | best us | of tried | first / best | the best is |")
    print("|---|---|---|---|---|---|---|")
    good = total = 0
    for name, _ in names:
        tried = {v: times[name, v] for v in ranks if times.get((name, v))}
        if "rank-00" not in tried:
            continue
        first, best = tried["rank-00"], min(tried, key=tried.get)
        total += 1
        good += first <= 1.1 * tried[best]
        guess = guesses["rank-00"][name]["microseconds"]
        print(f"| `{name}` | {guess:.0f} | {first:.0f} | {tried[best]:.0f} | {len(tried)} | {first / tried[best]:.2f} | `{guesses[best][name]['line']}` |")
    print(f"\nwithin 10 % of the best: {good} of {total}\n")
    print("| pipeline | " + " | ".join(v[len("without-"):] for v in omissions) + " |")
    print("|---" * (len(omissions) + 1) + "|")
    for name, _ in names:
        first = times.get((name, "rank-00"))
        cells = [f"{times[name, v] / first:.2f}" if first and times.get((name, v)) else "" for v in omissions]
        print(f"| `{name}` | " + " | ".join(cells) + " |")
    return 5 * (total - good) <= total


def main():
    args = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    args.add_argument("--device", type=int, default=0)
    args.add_argument("--size", type=int, default=4096, help="rows and columns")
    args.add_argument("--only", action="append", default=[], help="a part of the names of the pipelines (repeatable)")
    args.add_argument("--bench", type=int, default=5, help="measurements of each")
    args.add_argument("--nvidia", action="store_true", help="look at NVIDIA's OpenCL driver alone")
    args = args.parse_args()
    if args.nvidia:
        check.nvidia_alone()
    check.ROOT = ROOT
    guesses = json.load(open(os.path.join(ROOT, "guesses.json")))
    header = [f for f in os.listdir(os.path.join(ROOT, "rank-00", "include"))][0]
    names = [p for p in check.pipelines("rank-00", header) if not args.only or any(t in p[0] for t in args.only)]
    sys.exit(0 if report(names, guesses, measure(args, names, guesses)) else 1)


if __name__ == "__main__":
    main()
