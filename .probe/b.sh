# b.sh OUT PROGRAM...
out=$1; shift; rm -rf $out; mkdir -p $out; cp build/c8/imgc testsuite/gpu/many.c testsuite/gpu/programs.c $out
for p in "$@"; do name=$(basename $p .img); d=$(basename $(dirname $p)); project=$out/$d/$name; mkdir -p $out/$d
bin/imgc build $p -o $project --prefix lib --target opencl,cuda --fp contract --arch nvidia-h200 --size ${SIZE:-8192x8192} || exit 1
gcc -std=c99 -O2 -shared -fPIC -I $project/opencl/include $project/opencl/src/*.c $project/opencl/demo/*.c -o $project/opencl/demo/run.so -lOpenCL -lm; cp $p $project; done
