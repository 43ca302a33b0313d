#!/usr/bin/env bash
# Builds into build/gpu all that check.py takes to a machine with a GPU but without Go: imgc, linked statically, and for each
# sample its generated projects, the one for OpenCL with its demo program as a shared library; check.py builds the one for CUDA. FP is the floating-point
# mode, strict without it; ARCH the architecture model to plan for, none without it; SIZE the images that it is planned for, HxW; ONLY a part
# of the names of the samples; with RANDOM_PROGRAMS the command is built, too, that runs random programs (testsuite/differential).
set -euo pipefail
cd "$(dirname "$0")/../.."
out=${OUT:-build/gpu}
rm -rf "$out"
mkdir -p "$out"
CGO_ENABLED=0 go build -trimpath -ldflags "-s -w" -o "$out/imgc" ./cmd/imgc
if [ -n "${RANDOM_PROGRAMS:-}" ]; then
    CGO_CFLAGS="${CGO_CFLAGS:--O2 -DCL_TARGET_OPENCL_VERSION=120}" go build -trimpath -ldflags "-s -w" -o "$out/differential" ./testsuite/differential
fi
cp testsuite/gpu/many.c testsuite/gpu/programs.c "$out"
for program in samples/*/*.img testsuite/gpu/*.img; do
    name=$(basename "$program" .img)
    project="$out/$(basename "$(dirname "$program")")/$name"
    case $program in *"${ONLY:-}"* | */copy.img) ;; *) continue ;; esac
    mkdir -p "$(dirname "$project")"
    "$out/imgc" build "$program" -o "$project" --prefix lib --target opencl,cuda --fp "${FP:-strict}" ${ARCH:+--arch "$ARCH"} ${SIZE:+--size "$SIZE"}
    gcc -std=c99 -O2 -shared -fPIC -I "$project/opencl/include" "$project"/opencl/src/*.c "$project"/opencl/demo/*.c \
        -o "$project/opencl/demo/run.so" -lOpenCL -lm
    cp "$program" "$project"
done
du -sh "$out"
