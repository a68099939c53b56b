#!/usr/bin/env bash
# clean-data.sh: deletes the data directory: every document, investigation, assessment and account in it.
source "$(dirname "$0")/lib.sh"

data_dir="$(realpath -m "${DATA_DIR:-data}")"
[ -d "$data_dir" ] || { say "$data_dir not found: nothing to delete"; exit 0; }
# Protects against DATA_DIR=/ and the like: a data directory contains the store, or is empty.
[ -z "$(ls -A "$data_dir")" ] || [ -e "$data_dir/autosint.db" ] ||
  die "$data_dir is not a data directory (no autosint.db in it): nothing was deleted"
[ ! -e "$data_dir/autosint.lock" ] || flock -n "$data_dir/autosint.lock" true ||
  die "autosint is running on $data_dir: stop it first; nothing was deleted"
if [ "${FORCE:-}" != 1 ]; then
  [ -t 0 ] || die "this deletes $data_dir: set FORCE=1 to confirm without a terminal"
  read -r -p "Delete $data_dir and all its content? [y/N] " answer
  [ "$answer" = y ] || [ "$answer" = Y ] || die "nothing was deleted"
fi
rm -rf -- "$data_dir"
say "deleted $data_dir"
