#!/usr/bin/env bash
# server.sh dev|release: compiles the binary `autosint`. The dev profile compiles all native crates with the features of the tests,
# so that one build serves both.
source "$(dirname "$0")/lib.sh"

case "${1:-}" in
  dev) what=(--workspace --exclude frontend --lib --bins --tests) ;;
  release) what=(-p server --bin autosint --release) ;;
  *) die "usage: scripts/server.sh dev|release" ;;
esac

step "server: compile ($1)" cargo build "${CARGO_LOCKED[@]}" "${what[@]}"
