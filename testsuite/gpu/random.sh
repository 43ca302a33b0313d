#!/usr/bin/env bash
# Runs random programs on a GPU and compares them with the reference interpreter: all through NVIDIA's OpenCL, one of twelve as CUDA projects,
# too, each in all ways in which it is compiled.
#
#   testsuite/gpu/random.sh [--programs N] [--seed S] [--budget SECONDS] [--cuda N] [--jobs N] [--any-driver]
#
# It needs no Go: the program beside it, or the one in build/gpu, was built by prepare.sh with RANDOM_PROGRAMS=1. No program is begun after
# the budget; a line at the end says with which seed the next run goes on. Programs that fail are made smaller and written to $OUT/random, and
# the last lines name their seeds. The exit status is 1 where one fails. --any-driver takes the first OpenCL device of whatever driver.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
programs=4000 seed=1 budget=540 cuda=12 jobs=$(nproc) nvidia=1
while [ $# -gt 0 ]; do
    case $1 in
        --programs) programs=$2 ;;
        --seed) seed=$2 ;;
        --budget) budget=$2 ;;
        --cuda) cuda=$2 ;;
        --jobs) jobs=$2 ;;
        --any-driver) nvidia= && shift && continue ;;
        *) echo "random.sh: no option $1" >&2 && exit 2 ;;
    esac
    shift 2
done
command=$here/differential
[ -x "$command" ] || command=$here/../../build/gpu/differential
if [ ! -x "$command" ]; then
    echo "random.sh: no program 'differential'; RANDOM_PROGRAMS=1 testsuite/gpu/prepare.sh builds it" >&2
    exit 2
fi
out=${OUT:-build/gpu-out}/random
mkdir -p "$out"
if [ -n "$nvidia" ]; then
    vendors=$(mktemp -d)
    trap 'rm -rf "$vendors"' EXIT
    echo libnvidia-opencl.so.1 > "$vendors/nvidia.icd"
    export OCL_ICD_VENDORS=$vendors OCL_ICD_FILENAMES=libnvidia-opencl.so.1
fi
status=0
"$command" -n "$programs" -seed "$seed" -for "${budget}s" -j "$jobs" -oclgrind 0 -project 0 -cuda "$cuda" -attempts 300 -out "$out" > "$out/log" 2>&1 || status=$?
last=$(grep -E '^[0-9]+ programs in ' "$out/log" | tail -n 1 || true)
done=${last%% *}
echo "${last:-no program ended}"
echo "seeds $seed to $((seed + ${done:-0} - 1)); the next run goes on with --seed $((seed + ${done:-0}))"
grep -E '^seed [0-9]+: ' "$out/log" || true
if [ $status -ne 0 ] && ! grep -q -E '^seed [0-9]+: ' "$out/log"; then
    tail -n 20 "$out/log"
fi
exit $status
