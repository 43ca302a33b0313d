#!/usr/bin/env bash
# Builds into build/gpu all that check.py takes to a machine with a GPU but without Go: imgc, linked statically, and for each
# sample its generated project with its demo program. FP is the floating-point mode, strict without it; ARCH the architecture model
# to plan for, none without it.
set -euo pipefail
cd "$(dirname "$0")/../.."
out=build/gpu
rm -rf "$out"
mkdir -p "$out"
CGO_ENABLED=0 go build -o "$out/imgc" ./cmd/imgc
for program in samples/*/*.img testsuite/gpu/*.img; do
    name=$(basename "$program" .img)
    project="$out/$(basename "$(dirname "$program")")/$name"
    mkdir -p "$(dirname "$project")"
    "$out/imgc" build "$program" -o "$project" --target opencl --fp "${FP:-strict}" ${ARCH:+--arch "$ARCH"}
    gcc -std=c99 -O2 -I "$project/include" "$project"/src/*.c "$project"/demo/*.c -o "$project/demo/run" -lOpenCL -lm
    cp "$program" "$project"
done
du -sh "$out"
