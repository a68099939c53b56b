#!/usr/bin/env bash
# build.sh: builds the release binary and its site, side by side: the last crates of the server leave a core idle.
source "$(dirname "$0")/lib.sh"

scripts/setup.sh build
# A process group of its own, which ends with this script.
set -m
scripts/site.sh release "$TARGET/site" &
site=$!
set +m
stop_site() { kill -- "-$site" 2>/dev/null || true; }
trap 'stop_site; exit 130' INT TERM
trap stop_site EXIT
scripts/server.sh
wait "$site"
trap - EXIT
say "built $TARGET/release/autosint and $TARGET/site"
