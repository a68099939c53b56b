#!/usr/bin/env bash
# server.sh dev|release: the binary `autosint`. In the dev profile everything else that is not for the browser too, with the features
# that the tests have: one build for both.
source "$(dirname "$0")/lib.sh"

case "${1:-}" in
  dev) what=(--workspace --exclude frontend --lib --bins --tests) ;;
  release) what=(-p server --bin autosint --release) ;;
  *) die "usage: scripts/server.sh dev|release" ;;
esac

step "server: compile ($1)" cargo build "${CARGO_LOCKED[@]}" "${what[@]}"
