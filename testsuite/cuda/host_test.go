package cuda

import (
	"testing"

	"imgc/testsuite/harness"
)

// TestOnTheHost runs what needs no device, on one build of the runtime that runs kernels on the host.
func TestOnTheHost(t *testing.T) {
	host := harness.CUDAOnHost(t, "-fsanitize=address,undefined", "-fno-sanitize-recover=undefined")
	for name, test := range map[string]func(*testing.T, *harness.Host){
		"kernels get more shared memory than they may declare": moreSharedMemory,
		"every call finds zeros in what is kept":               keptAsZeros,
		"results are computed where they are wanted":           resultsInPlace,
		"graphs say when the toolkit is too old":               graphsOfOldToolkits,
		"lines have any width and start anywhere":              linesAnywhere,
		"bytes become floats by way of words":                  floatsOfWords,
		"short remainders are exact":                           shortRemainders,
		"matrix units compute sums":                            matrixUnits,
		"grids have any number of blocks":                      manyBlocks,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			test(t, host)
		})
	}
}
