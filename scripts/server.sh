#!/usr/bin/env bash
# server.sh: the release binary `autosint`. `make test` compiles a binary of its own together with the tests.
source "$(dirname "$0")/lib.sh"

step "server: compile" cargo build "${CARGO_LOCKED[@]}" -p server --bin autosint --release
