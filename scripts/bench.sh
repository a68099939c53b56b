#!/usr/bin/env bash
# bench.sh: all benchmarks of the workspace in the release profile. With the reference data in AUTOSINT_TESTDATA, also measures names,
# entities and a folder of long speeches.
# No result passes or fails by time; `autosint-bench` fails only if an assessment violates its invariants.
source "$(dirname "$0")/lib.sh"

scripts/build.sh
[ -z "${AUTOSINT_TESTDATA:-}" ] || AUTOSINT_TESTDATA="$(realpath "$AUTOSINT_TESTDATA")"
export AUTOSINT_TESTDATA="${AUTOSINT_TESTDATA:-}" AUTOSINT__EMBED__MODEL_DIR="$MODEL_DIR"
export AUTOSINT__SERVER__SITE_ROOT="$TARGET/site"
autosint="$TARGET/release/autosint"
bench="$TARGET/release/autosint-bench"
port="${BENCH_PORT:-3977}"
folder="$(mktemp -d)"
trap 'kill "${served:-}" "${model:-}" 2>/dev/null || true; rm -rf "$folder"' EXIT

# serve NAME OPTION…: starts a server on its own data directory and waits until it answers; `served` is its process id.
serve() {
  local name=$1
  shift
  "$autosint" serve --listen "127.0.0.1:$port" --data-dir "$folder/$name" "$@" >"$LOGS/bench-$name.log" 2>&1 &
  served=$!
  until curl -fs -o /dev/null "http://127.0.0.1:$port/healthz"; do
    kill -0 "$served" 2>/dev/null || die "server failed: see $LOGS/bench-$name.log; set BENCH_PORT to use another port"
    sleep 0.01
  done
}

stop() {
  kill "$served"
  wait "$served" 2>/dev/null || true
  served=
}

say "instant model server"
cargo build "${CARGO_LOCKED[@]}" --release -q -p scripted -p benchmarks
"$TARGET/release/scripted-model" --brief --no-key --port 0 >"$folder/model" &
model=$!
until models="$(head -n 1 "$folder/model")" && [ -n "$models" ]; do
  kill -0 "$model" 2>/dev/null || die "model server failed"
  sleep 0.05
done

say "cost per document with a small and a large graph; the model server resolves names"
"$bench" --model-server "$models"

for wire in anthropic openai; do
  say "a hundred concurrent investigations ($wire)"
  "$bench" --at-once 100 --model-server "$models" --wire "$wire"
done

say "serve, on an empty data directory"
began="$(date +%s%N)"
serve idle
echo "first answer after $((($(date +%s%N) - began) / 1000000)) ms"
sleep 3
awk '/^VmRSS/ { printf "resident when idle: %.1f MiB\n", $2 / 1024 }' "/proc/$served/status"
stop

say "first load of home, of the sample's report, and of an investigation that goes on running, because nobody works on it"
scripts/setup/npm.sh end2end
scripts/setup/chromium.sh
AUTOSINT__ENGINE__WORKERS=0 serve sample --first-run-sample
(cd end2end && node measure-load.mjs "$(sed -n "s/^create the first account: //p" "$LOGS/bench-sample.log")")
say "picture of the graph and slider of tensions in Chromium"
(cd end2end && node measure-explorer.mjs "http://127.0.0.1:$port")
stop

say "home, lists and reports with 1,000 assessments"
"$bench" --pages 1000

say "a graph of 100,000 claims, by words and by likeness"
AUTOSINT__EMBED__PROVIDER=hashing "$bench" --graph 100000

if [ -n "$AUTOSINT_TESTDATA" ]; then
  for embedder in hashing minilm; do
    say "folder of long speeches, with one worker and with four in reverse order ($embedder)"
    AUTOSINT__EMBED__PROVIDER=$embedder "$bench" --documents "$AUTOSINT_TESTDATA/speeches" --until-vectors \
      --question "Why did the United States go to war in Vietnam?"
  done
  say "names and entities"
  for test in labelled_pairs_are_distinguished names_of_real_articles_are_found; do
    cargo test "${CARGO_LOCKED[@]}" --release -q -p engine -p extractive --lib -- --include-ignored --nocapture "$test"
  done
fi
