#!/usr/bin/env bash
# chaos.sh [INVESTIGATIONS WORKERS FAULTS SEED]: many investigations on the scaled-out size while everything dies at moments that the
# seed draws; the table of faults, and what came of them.
source "$(dirname "$0")/lib.sh"

scripts/setup.sh test
export AUTOSINT_CHAOS="${*:-40 4 25 1}"
cargo test "${CARGO_LOCKED[@]}" --workspace --exclude frontend --test chaos -- --nocapture
