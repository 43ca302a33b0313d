package opencl

import (
	"testing"

	"imgc/emit/ctree"
)

// TestNamesOfExtensionsAreReserved: drivers declare them though a program asks for OpenCL C 1.2.
func TestNamesOfExtensionsAreReserved(t *testing.T) {
	words := ctree.NewReserved(reserved())
	for _, name := range []string{
		"sub_group_reduce_add", "image2d_msaa_t", "atomic_int", "atomic_fetch_add", "work_group_barrier", "intel_sub_group_shuffle", "ndrange_t", "memory_order_relaxed",
		"get_sub_group_id", "ctz", "dot_acc_sat", "read_imagef",
	} {
		if !words.Has(name) {
			t.Errorf("%s may be the name of a func", name)
		}
	}
}
