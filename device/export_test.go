package device

import "imgc/kir"

// Bind is bind for tests that have no device.
func Bind(plan *kir.Pipeline, args Args) error {
	_, err := bind(plan, args)
	return err
}
