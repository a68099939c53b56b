#!/usr/bin/env bash
# bench.sh: every benchmark of the workspace. AUTOSINT_TESTDATA names the folder of reference data, where there is one.
source "$(dirname "$0")/lib.sh"

scripts/setup.sh build
[ -z "${AUTOSINT_TESTDATA:-}" ] || AUTOSINT_TESTDATA="$(realpath "$AUTOSINT_TESTDATA")"
export AUTOSINT_TESTDATA="${AUTOSINT_TESTDATA:-}" AUTOSINT__EMBED__MODEL_DIR="$MODEL_DIR"
exec cargo bench --workspace --exclude frontend --benches "$@"
