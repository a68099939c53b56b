#!/usr/bin/env bash
# server.sh [release|dist]: the binary `autosint`; `dist` is smaller and compiles longer. `make test` compiles a binary of its own
# together with the tests.
source "$(dirname "$0")/lib.sh"

step "server: compile" cargo build "${CARGO_LOCKED[@]}" -p server --bin autosint --profile "${1:-release}"
