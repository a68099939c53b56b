#!/usr/bin/env bash
# chaos.sh [INVESTIGATIONS WORKERS FAULTS SEED]: chaos test of the scaled-out size. Kills processes and services at seeded times, and
# prints a table of faults and outcomes.
source "$(dirname "$0")/lib.sh"

scripts/setup.sh test
export AUTOSINT_CHAOS="${*:-40 4 25 1}"
cargo test "${CARGO_LOCKED[@]}" --workspace --exclude frontend --test it -- --nocapture chaos::
