#!/usr/bin/env bash
# setup.sh build|test|test-fast: everything that building, or building and testing, needs. Repeating it costs under a second.
# The slowest part comes last: what is missing is said before anybody has waited.
source "$(dirname "$0")/lib.sh"

# need_space FOLDER GIGABYTES: stops where a first build would fill the disk.
need_space() {
  local free
  ! compgen -G "$TARGET/$1/deps/libserver-*" >/dev/null || return 0
  free=$(($(df --output=avail -k "$TARGET" | tail -n 1) / 1048576))
  [ "$free" -ge "$2" ] || die "$TARGET has $free GB free, and a first build needs $2: free some, or set CARGO_TARGET_DIR"
}

case "${1:-}" in
  build) parts=(compiler toolchain "npm frontend" model) ;;
  test) parts=(compiler toolchain "npm frontend" "npm end2end" model cargo-deny validators chromium compose postgres neo4j redis) ;;
  test-fast) parts=(compiler toolchain model) ;;
  *) die "usage: scripts/setup.sh build|test|test-fast" ;;
esac
case "$1" in
  build) need_space release 8 ;;
  # CI compiles once, without the incremental folders.
  *) need_space debug "$([ -n "${CI:-}" ] && echo 8 || echo 12)" ;;
esac

for part in "${parts[@]}"; do
  read -r -a words <<<"$part"
  "scripts/setup/${words[0]}.sh" "${words[@]:1}"
done
say "set-up for '$1' is complete (cache: $CACHE)"
