#!/usr/bin/env bash
# build.sh: builds the release binary and its site.
source "$(dirname "$0")/lib.sh"

scripts/setup.sh build
scripts/server.sh
scripts/site.sh release "$TARGET/site"
say "built $TARGET/release/autosint and $TARGET/site"
