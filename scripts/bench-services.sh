#!/usr/bin/env bash
# bench-services.sh [INVESTIGATIONS]: the benchmarks of the scaled-out size, in the release profile, on services that are started for
# it: work orders a second with 1, 2 and 4 workers against a model server that takes no time, and the three ways of searching in Neo4j.
# The services run beside what is measured, on the same processors. Nothing here passes or fails by time.
source "$(dirname "$0")/lib.sh"

scripts/build.sh
scripts/setup.sh test
source scripts/setup/backends.sh
wait_for neo4j
cargo build "${CARGO_LOCKED[@]}" --release -q -p scripted
"$TARGET/release/scripted-model" --brief --no-key --port 0 >"$BACKENDS_DIR/model" &
backend_pids[model]=$!
until models="$(head -n 1 "$BACKENDS_DIR/model")" && [ -n "$models" ]; do sleep 0.05; done

for workers in 1 2 4; do
  say "${1:-20} investigations at once, $workers workers"
  database="$(new_database "bench_$workers")"
  (
    cd "$BACKENDS_DIR"
    export AUTOSINT__SQL__URL="$database" AUTOSINT__GRAPH__NEO4J__URL="$AUTOSINT_TEST_NEO4J"
    export AUTOSINT__REDIS__URL="$AUTOSINT_TEST_REDIS" AUTOSINT__REDIS__PREFIX="bench$workers:"
    export AUTOSINT__ENGINE__WORKERS="$workers" AUTOSINT__EMBED__PROVIDER=none
    "$TARGET/release/autosint" bench --at-once "${1:-20}" --on-services --model-server "$models"
  )
done

say "the graph in Neo4j: writing, and three ways of searching"
cargo bench "${CARGO_LOCKED[@]}" -p adapters --bench graph -- --neo4j "$AUTOSINT_TEST_NEO4J"
