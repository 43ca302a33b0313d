#!/usr/bin/env bash
# Builds into build/tune what tune.py takes to a machine with a GPU but without Go: a project for each schedule that is tried of a
# program. PROGRAM is its file, by default the kernels of this folder; ARCH the architecture model, COUNT how many schedules by rank,
# SIZE the rows and columns that predictions are for.
set -euo pipefail
cd "$(dirname "$0")/../.."
program=${PROGRAM:-testsuite/gpu/kernels.img} arch=${ARCH:-nvidia-h200} out=build/tune
rm -rf "$out"
mkdir -p "$out/schedules"
go build -o "$out/imgc" ./cmd/imgc
go run ./testsuite/gpu/schedules "$program" "$arch" "${SIZE:-8192}" "${COUNT:-21}" "$out/schedules"
build() { # NAME PROGRAM [SCHEDULE]
    "$out/imgc" build "$2" -o "$out/$1" --fp contract --arch "$arch" ${3:+--schedule "$3"}
    gcc -std=c99 -O1 -s -I "$out/$1/include" "$out/$1"/src/*.c "$out/$1"/demo/*.c -o "$out/$1/demo/run" -lOpenCL -lm
}
build copy testsuite/gpu/copy.img
for s in "$out"/schedules/*.img; do
    build "$(basename "$s" .img)" "$program" "$s"
done
cp "$out/schedules/guesses.json" "$out"
rm "$out/imgc"
du -sh "$out"
