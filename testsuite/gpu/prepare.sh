#!/usr/bin/env bash
# Builds into build/gpu all that check.py takes to a machine with a GPU but without Go: imgc, linked statically, and for each
# sample its generated project with its demo program.
set -euo pipefail
cd "$(dirname "$0")/../.."
out=build/gpu
rm -rf "$out"
mkdir -p "$out"
CGO_ENABLED=0 go build -o "$out/imgc" ./cmd/imgc
for program in samples/*/*.img; do
    name=$(basename "$program" .img)
    "$out/imgc" build "$program" -o "$out/$name" --target opencl --fp strict
    gcc -std=c99 -O2 -I "$out/$name/include" "$out/$name"/src/*.c "$out/$name"/demo/*.c -o "$out/$name/demo/run" -lOpenCL -lm
    cp "$program" "$out/$name/$name.img"
done
du -sh "$out"
