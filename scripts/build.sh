#!/usr/bin/env bash
# build.sh: the release binary and its site.
source "$(dirname "$0")/lib.sh"

scripts/setup.sh build
step "server: compile (release)" cargo build "${CARGO_LOCKED[@]}" -p server --bin autosint --release
scripts/site.sh release "$TARGET/site"
say "built $TARGET/release/autosint and $TARGET/site"
