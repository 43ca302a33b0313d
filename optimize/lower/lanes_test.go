package lower

import (
	"testing"

	"imgc/optimize/block"
)

// TestOperatorsInHalvesHaveForms holds what plans take to be computed in halves of words to what is.
func TestOperatorsInHalvesHaveForms(t *testing.T) {
	for op := range laneOps {
		if !block.InHalves[op] {
			t.Errorf("%v has a form in halves of words, which plans do not know", op)
		}
	}
	for op := range block.InHalves {
		if laneOps[op] == nil {
			t.Errorf("%v has no form in halves of words", op)
		}
	}
}
