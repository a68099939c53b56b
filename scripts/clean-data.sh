#!/usr/bin/env bash
# clean-data.sh: deletes the data directory: every document, investigation, assessment and account in it.
source "$(dirname "$0")/lib.sh"

data_dir="$(realpath -m "${DATA_DIR:-data}")"
[ -d "$data_dir" ] || { say "there is no $data_dir: nothing to delete"; exit 0; }
# Guards against DATA_DIR=/ and the like: a data directory holds the store, or nothing.
[ -z "$(ls -A "$data_dir")" ] || [ -e "$data_dir/autosint.db" ] ||
  die "$data_dir is no data directory of autosint (no autosint.db in it): nothing was deleted"
[ ! -e "$data_dir/autosint.lock" ] || flock -n "$data_dir/autosint.lock" true ||
  die "an autosint is running on $data_dir: stop it first; nothing was deleted"
if [ "${FORCE:-}" != 1 ]; then
  [ -t 0 ] || die "this deletes $data_dir: set FORCE=1 where nobody can be asked"
  read -r -p "Delete $data_dir with everything in it? [y/N] " answer
  [ "$answer" = y ] || [ "$answer" = Y ] || die "nothing was deleted"
fi
rm -rf -- "$data_dir"
say "deleted $data_dir"
