# The two commands are `make run` and `make test`; `make help` lists the others. Each is a script in scripts/.
SHELL := /bin/bash
.DEFAULT_GOAL := help
.PHONY: help run test test-fast build dev bench bench-services chaos tidy clean-data

help: ## list what can be made
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  make \1\t\2/p' $(MAKEFILE_LIST) | expand -t 20

run: ## set up, build, investigate the sample on a first start, serve on http://127.0.0.1:3000 (DATA_DIR, LISTEN)
	@scripts/run.sh

test: ## set up and run every test: formatting, lints, unit, conformance, server, wasm, end-to-end
	@scripts/test.sh

test-fast: ## formatting, lints and the tests that need no services, for daily work
	@scripts/test.sh fast

build: ## the release binary (target/release/autosint) and its site (target/site)
	@scripts/build.sh

dev: ## rebuild and reload while you edit (cargo leptos watch)
	@scripts/dev.sh

bench: ## the benchmarks, in the release profile
	@scripts/bench.sh

bench-services: ## the benchmarks on PostgreSQL, Neo4j and Redis, which it starts
	@scripts/bench-services.sh

chaos: ## 40 investigations on the scaled-out size, while everything dies in turn (SIZE="INVESTIGATIONS WORKERS FAULTS SEED")
	@scripts/chaos.sh $(SIZE)

tidy: ## the rules of this tree that no compiler knows
	@scripts/tidy.sh

clean-data: ## delete the data directory (DATA_DIR, default ./data); asks first unless FORCE=1
	@scripts/clean-data.sh
