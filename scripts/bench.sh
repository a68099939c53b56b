#!/usr/bin/env bash
# bench.sh: every benchmark of the workspace, in the release profile. AUTOSINT_TESTDATA names the folder of reference data, where
# there is one: then names, entities and a folder of long speeches are measured too.
# Nothing here passes or fails by time; `autosint bench` fails only where an assessment breaks its own rules.
source "$(dirname "$0")/lib.sh"

scripts/setup.sh build
[ -z "${AUTOSINT_TESTDATA:-}" ] || AUTOSINT_TESTDATA="$(realpath "$AUTOSINT_TESTDATA")"
export AUTOSINT_TESTDATA="${AUTOSINT_TESTDATA:-}" AUTOSINT__EMBED__MODEL_DIR="$MODEL_DIR"
step "server: compile (release)" cargo build "${CARGO_LOCKED[@]}" -p server --bin autosint --release
autosint="$TARGET/release/autosint"

say "one document, with few and with many in the graph"
"$autosint" bench

say "serve, on an empty data directory"
data="$(mktemp -d)"
port="${BENCH_PORT:-3977}"
trap 'kill "${served:-}" 2>/dev/null || true; rm -rf "$data"' EXIT
began="$(date +%s%N)"
"$autosint" serve --listen "127.0.0.1:$port" --data-dir "$data" >"$LOGS/bench-serve.log" 2>&1 &
served=$!
until curl -fs -o /dev/null "http://127.0.0.1:$port/healthz"; do
  kill -0 "$served" 2>/dev/null || die "serve ended: see $LOGS/bench-serve.log; BENCH_PORT chooses another port"
  sleep 0.01
done
echo "first answer after $((($(date +%s%N) - began) / 1000000)) ms"
sleep 3
awk '/^VmRSS/ { printf "resident when idle: %.1f MiB\n", $2 / 1024 }' "/proc/$served/status"
kill "$served"
wait "$served" 2>/dev/null || true

if [ -n "$AUTOSINT_TESTDATA" ]; then
  say "a folder of long speeches, with one worker and with four in the opposite order"
  "$autosint" bench --documents "$AUTOSINT_TESTDATA/speeches" --question "Why did the United States go to war in Vietnam?"
  say "names and entities"
  for test in labelled_pairs_are_told_apart names_of_real_articles_are_found the_body_that_did_it; do
    cargo test "${CARGO_LOCKED[@]}" --release -q -p engine -p adapters --lib -- --nocapture "$test"
  done
fi
say "the graph: writing, and three ways of searching"
exec cargo bench "${CARGO_LOCKED[@]}" -p adapters --bench graph "$@"
