package main

import "github.com/spf13/cobra"

func newBuild() *cobra.Command { return &cobra.Command{Use: "build"} }
