#!/usr/bin/env bash
# run.sh: builds, then serves with the embedded store. Reads DATA_DIR and LISTEN.
source "$(dirname "$0")/lib.sh"

data_dir="$(realpath -m "${DATA_DIR:-data}")"
listen="${LISTEN:-127.0.0.1:3000}"

scripts/build.sh
export AUTOSINT__SERVER__SITE_ROOT="${AUTOSINT__SERVER__SITE_ROOT:-$TARGET/site}"
export AUTOSINT__EMBED__MODEL_DIR="${AUTOSINT__EMBED__MODEL_DIR:-$MODEL_DIR}"
allow_browser_as_root
say "starting on $data_dir; it prints the address to open once it serves (Ctrl-C stops it)"
exec "$TARGET/release/autosint" serve --listen "$listen" --data-dir "$data_dir" --first-run-sample
