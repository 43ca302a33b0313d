#!/usr/bin/env bash
# Builds into build/gpu all that check.py takes to a machine with a GPU but without Go: imgc, linked statically, and for each
# sample its generated projects, the one for OpenCL with its demo program as a shared library; check.py builds the one for CUDA. FP is the floating-point
# mode, strict without it, but for special.py's program, which comes in all three; ARCH the architecture model to plan for, none without it; SIZE the
# images that it is planned for, HxW; ONLY a part of the names of the samples; with RANDOM_PROGRAMS the command is built, too, that runs random programs (testsuite/differential), for random.sh.
set -euo pipefail
cd "$(dirname "$0")/../.."
out=${OUT:-build/gpu}
rm -rf "$out"
mkdir -p "$out"
CGO_ENABLED=0 go build -trimpath -ldflags "-s -w" -o "$out/imgc" ./cmd/imgc
if [ -n "${RANDOM_PROGRAMS:-}" ]; then
    CGO_CFLAGS="${CGO_CFLAGS:--O2 -DCL_TARGET_OPENCL_VERSION=120}" go build -trimpath -ldflags "-s -w" -o "$out/differential" ./testsuite/differential
    cp testsuite/gpu/random.sh "$out"
fi
cp testsuite/gpu/many.c testsuite/gpu/programs.c "$out"

# project PROGRAM FOLDER MODE builds the projects of a program for both targets.
project() {
    mkdir -p "$(dirname "$2")"
    "$out/imgc" build "$1" -o "$2" --prefix lib --target opencl,cuda --fp "$3" ${ARCH:+--arch "$ARCH"} ${SIZE:+--size "$SIZE"}
    gcc -std=c99 -O2 -shared -fPIC -I "$2/opencl/include" "$2"/opencl/src/*.c "$2"/opencl/demo/*.c -o "$2/opencl/demo/run.so" -lOpenCL -lm
    cp "$1" "$2"
}

for program in samples/*/*.img testsuite/gpu/*.img; do
    case $program in *"${ONLY:-}"* | */copy.img) ;; *) continue ;; esac
    project "$program" "$out/$(basename "$(dirname "$program")")/$(basename "$program" .img)" "${FP:-strict}"
done
case special in *"${ONLY:-}"*)
    python3 testsuite/gpu/special.py --write "$out/special.img"
    for mode in strict contract fast; do project "$out/special.img" "$out/special_$mode/special" "$mode"; done ;;
esac
du -sh "$out"
