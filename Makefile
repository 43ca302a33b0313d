# imgc's build. `make help` lists the targets.

GO ?= go
PROGRAM := samples/basics/sharpen.img
PHOTO := samples/photo.png
PICTURE := sharpened.png

# What go test is told besides.
TESTFLAGS ?=

# How long each fuzz target runs under `make fuzz`.
FUZZTIME ?= 30s

# imgc reaches OpenCL devices through cgo and the OpenCL loader. Without them it is built all the same, and runs programs
# with its reference interpreter. Set CGO_ENABLED to decide yourself. The shell of each line looks, and not make: make expands what it
# exports before the first line of a recipe runs, and that line may be the one that installs the loader.
WITH_CGO = CGO_ENABLED=$$(script/cgo)
# The binding of OpenCL does not say which version it wants; without this the headers print a note for each file.
CGO_CFLAGS ?= -O2 -g -DCL_TARGET_OPENCL_VERSION=120
export CGO_CFLAGS

.DEFAULT_GOAL := build
.NOTPARALLEL:
.PHONY: build setup demo test check gofmt vet staticcheck fuzz clean help

build: ## build bin/imgc
	@mkdir -p bin
	$(WITH_CGO) $(GO) build -o bin/imgc ./cmd/imgc

setup: ## install what the demo and the tests use
	@script/setup

demo: ## sharpen a photo on the first OpenCL device
	@script/setup demo
	@$(MAKE) --no-print-directory build
	bin/imgc run $(PROGRAM) $(PHOTO) $(PICTURE)
	@echo
	@echo "$(PROGRAM), compiled for the device named above, sharpened $(PHOTO)."
	@echo "The picture: $(CURDIR)/$(PICTURE)"

# PoCL links each of the thousands of kernels of the tests with the ld that clang finds, in the folders of COMPILER_PATH first. In LINKER setup
# puts one that takes half the time, if there is one.
LINKER := $(CURDIR)/.bin/linker

test: setup ## run every test
	$(WITH_CGO) COMPILER_PATH="$${COMPILER_PATH:-$(LINKER)}" $(GO) test -timeout 60m $(TESTFLAGS) ./...

check: setup gofmt vet staticcheck ## gofmt, go vet and staticcheck

gofmt:
	@files=$$(gofmt -l $$(find . -name '*.go' -not -path './.*')) || exit 1; \
	if [ -n "$$files" ]; then echo "not formatted by gofmt:"; echo "$$files"; exit 1; fi

vet:
	$(WITH_CGO) $(GO) vet ./...

staticcheck:
	$(WITH_CGO) .bin/staticcheck ./...

# go test fuzzes one target of one package at a time.
fuzz: setup ## run each fuzz target for FUZZTIME (30s)
	@grep -rl --include='*_test.go' '^func Fuzz' . | xargs -r -n1 dirname | sort -u | while read -r dir; do \
		for target in $$(sed -nE 's/^func (Fuzz[A-Za-z0-9_]*).*/\1/p' "$$dir"/*_test.go); do \
			echo "$$dir $$target"; \
			$(WITH_CGO) $(GO) test -run '^$$' -fuzz "^$$target\$$" -fuzztime $(FUZZTIME) "$$dir" || exit 1; \
		done || exit 1; \
	done

clean: ## remove what build and demo wrote
	rm -rf bin $(PICTURE)

help: ## list the targets
	@sed -nE 's/^([a-z]+):.*## (.*)/\1\t\2/p' $(MAKEFILE_LIST) | expand -t 10
