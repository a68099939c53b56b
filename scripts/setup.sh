#!/usr/bin/env bash
# setup.sh build|test|test-fast: everything that building, or building and testing, needs. Repeating it costs under a second.
# The slowest part comes last: what is missing is said before anybody has waited.
source "$(dirname "$0")/lib.sh"

case "${1:-}" in
  build) parts=(compiler toolchain "npm frontend" model wasm-bindgen) ;;
  test) parts=(compiler toolchain "npm frontend" "npm end2end" model chromium compose postgres neo4j redis wasm-bindgen) ;;
  test-fast) parts=(compiler toolchain model) ;;
  *) die "usage: scripts/setup.sh build|test|test-fast" ;;
esac

for part in "${parts[@]}"; do
  read -r -a words <<<"$part"
  "scripts/setup/${words[0]}.sh" "${words[@]:1}"
done
say "set-up for '$1' is complete (cache: $CACHE)"
