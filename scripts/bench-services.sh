#!/usr/bin/env bash
# bench-services.sh [INVESTIGATIONS]: benchmarks of the scaled-out size in the release profile, on services that it starts: work
# orders per second with 1, 2 and 4 workers against an instant model server, three times each, with the CPU time of each process;
# and a large graph in Neo4j.
# The services share the processors with the program. No result passes or fails by time.
source "$(dirname "$0")/lib.sh"

scripts/setup.sh test
# Before the services start: nothing else runs beside them.
cargo build "${CARGO_LOCKED[@]}" --release -q -p scripted -p benchmarks
# Neo4j with production settings rather than those of the tests.
export NEO4J_JAVA="-Xmx2g"
source scripts/setup/backends.sh
wait_for neo4j
"$TARGET/release/scripted-model" --brief --no-key --port 0 >"$BACKENDS_DIR/model" &
backend_pids[model]=$!
until models="$(head -n 1 "$BACKENDS_DIR/model")" && [ -n "$models" ]; do
  kill -0 "${backend_pids[model]}" 2>/dev/null || die "model server failed"
  sleep 0.05
done

# CPU time of a process and all its descendants, ended ones included, in hundredths of a second. Processes may end during the read.
# Nothing of a service that was not started here.
ticks_of() {
  [ -n "$1" ] || return 0
  { cat /proc/[0-9]*/stat 2>/dev/null || true; } | awk -v root="$1" '
    { pid = $1; sub(/^.*\) /, ""); parent[pid] = $2; ticks[pid] = $12 + $13 + $14 + $15 }
    END {
      for (pid in ticks) {
        at = pid
        while (at in parent && at != root) at = parent[at]
        if (at == root) sum += ticks[pid]
      }
      print sum + 0
    }'
}

# run WORKERS ROUND: prints one row of the table.
run() {
  local name database before=()
  local names=(postgres neo4j redis model)
  database="$(new_database "bench_$1_$2")"
  for name in "${names[@]}"; do before+=("$(ticks_of "${backend_pids[$name]:-}")"); done
  (
    cd "$BACKENDS_DIR"
    export AUTOSINT__SQL__URL="$database" AUTOSINT__GRAPH__NEO4J__URL="$AUTOSINT_TEST_NEO4J"
    export AUTOSINT__REDIS__URL="$AUTOSINT_TEST_REDIS" AUTOSINT__REDIS__PREFIX="bench$1_$2:"
    export AUTOSINT__ENGINE__WORKERS="$1" AUTOSINT__EMBED__PROVIDER=none
    "$TARGET/release/autosint-bench" --at-once "$at_once" --on-services --model-server "$models" --json >"$BACKENDS_DIR/run"
  )
  node -e '
    const { load_test: load } = JSON.parse(require("fs").readFileSync(process.argv[1]));
    const cells = [load.workers, load.wall_s.toFixed(1), load.orders_per_s.toFixed(2), (load.cpu_s_each * load.at_once).toFixed(1)];
    process.stdout.write(cells.map((cell) => String(cell).padStart(10)).join(""));' "$BACKENDS_DIR/run"
  for name in "${names[@]}"; do
    printf '%10s' "$(awk -v a="$(ticks_of "${backend_pids[$name]:-}")" -v b="${before[0]}" 'BEGIN { if (a != "") printf "%.1f", (a - b) / 100; else print "-" }')"
    before=("${before[@]:1}")
  done
  echo
}

at_once="${1:-20}"
say "$at_once concurrent investigations; seconds, work orders per second, and CPU seconds of each process ($(nproc) processors)"
printf '%10s' workers seconds orders/s autosint postgres neo4j redis models
echo
for round in 1 2 3; do
  for workers in 1 2 4; do run "$workers" "$round"; done
done

say "a graph of 100,000 claims in Neo4j, by words and by likeness"
AUTOSINT__EMBED__PROVIDER=hashing "$TARGET/release/autosint-bench" --graph 100000 --neo4j "$AUTOSINT_TEST_NEO4J"
