#!/usr/bin/env bash
# chaos.sh [INVESTIGATIONS WORKERS FAULTS SEED]: chaos tests. Kills processes and services of the scaled-out size at seeded times, and
# prints a table of faults and outcomes. Kills `serve` at 20 seeded statements of the first start, of the cycle of tensions, of standing
# questions, and of mail; and the engine at every point of an investigation, of a divided question, and of a restore.
source "$(dirname "$0")/lib.sh"

scripts/setup.sh test
export AUTOSINT_CHAOS="${*:-40 4 25 1}"
cargo test "${CARGO_LOCKED[@]}" --workspace --exclude frontend --test it -- --nocapture chaos:: at_any_point killed_at_any killed_while
