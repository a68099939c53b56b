#!/usr/bin/env bash
# test.sh: every test, cheapest first, in the dev profile. Goes on after a failure, and ends with "N passed, N failed".
# Each check (formatting, tidiness, lints, the site) counts as one; of cargo and Playwright every test counts.
source "$(dirname "$0")/lib.sh"

scripts/setup.sh test
# One obvious place for the services that conformance suites run against: it exports their addresses.
source scripts/setup/backends.sh
export REQUIRE_BACKENDS=1
export AUTOSINT__EMBED__MODEL_DIR="${AUTOSINT__EMBED__MODEL_DIR:-$MODEL_DIR}"
# Tests run in the folder of their crate: a relative path would mean something else there.
[ -z "${AUTOSINT_TESTDATA:-}" ] || AUTOSINT_TESTDATA="$(realpath "$AUTOSINT_TESTDATA")"
[ -z "${AUTOSINT_TESTDATA:-}" ] || export AUTOSINT_TESTDATA

passed=0 failed=0 failures=()
count() { passed=$((passed + $1)) failed=$((failed + $2)); }
failure() { failures+=("$1"); }

# check LABEL COMMAND…: one step that counts as one test.
check() {
  if step "$@"; then count 1 0; else count 0 1; failure "$1"; fi
}

# Everything but `frontend`, whose features (hydrate) and those of the server (ssr) exclude each other in one build.
native=("${CARGO_LOCKED[@]}" --workspace --exclude frontend)

cargo_tests() {
  local log="$LOGS/cargo-test.log" rc=0 p f
  say "tests …"
  wait_for neo4j
  cargo test "${native[@]}" --lib --bins --tests --no-fail-fast 2>&1 | tee "$log" || rc=$?
  cargo test "${native[@]}" --doc --no-fail-fast 2>&1 | tee -a "$log" || rc=$?
  # "test result: ok. 12 passed; 0 failed; …", one line for each test binary.
  read -r p f < <(awk '/^test result: / { p += $4; f += $6 } END { print p + 0, f + 0 }' "$log")
  count "$p" "$f"
  [ "$rc" -eq 0 ] || failure "cargo test"
  # A test binary that does not compile or crashes reports no failed test of its own.
  [ "$rc" -eq 0 ] || [ "$f" -gt 0 ] || count 0 1
  say "tests: exit code $rc"
}

# journeys LABEL NAME [VARIABLE=VALUE…]: Chromium against the dev build, which Playwright starts (end2end/playwright.config.ts).
journeys() {
  local label=$1 log="$LOGS/$2-server.log" results="$TARGET/$2-results.json" scratch rc=0 p f
  shift 2
  scratch="$(mktemp -d)"
  rm -f "$results"
  say "$label …"
  (
    cd end2end
    export PLAYWRIGHT_JSON_OUTPUT_NAME="$results" E2E_DATA_DIR="$scratch/data" E2E_PORT E2E_WORKER_PORT "$@"
    export E2E_BINARY="$TARGET/debug/autosint" E2E_SITE="$TARGET/site-test" E2E_SERVER_LOG="$log"
    E2E_PORT="$(free_port)" E2E_WORKER_PORT="$(free_port)"
    npx --no-install playwright test
  ) || rc=$?
  rm -rf "$scratch"
  read -r p f < <(node -e '
    const { stats } = JSON.parse(require("fs").readFileSync(process.argv[1]));
    console.log(stats.expected + stats.flaky, stats.unexpected);' "$results" 2>/dev/null || echo 0 1)
  count "$p" "$f"
  if [ "$rc" -ne 0 ]; then
    failure "$label"
    say "the last lines of the server (all of them in $log):"
    tail -n 30 "$log" | cut -c 1-400
  fi
  say "$label: exit code $rc"
}

# The same on the services, in a database of its own.
scaled_journeys() {
  local database
  database="$(new_database "journeys_$$")"
  journeys "end-to-end, scaled out" end2end-scaled "E2E_SQL_URL=$database" \
    "E2E_REDIS_URL=$AUTOSINT_TEST_REDIS" "E2E_NEO4J_URL=$AUTOSINT_TEST_NEO4J"
}

check "formatting (cargo fmt --all mends it)" cargo fmt --all --check -- --files-with-diff
check "tidy" scripts/tidy.sh
check "lints" cargo clippy "${native[@]}" --all-targets --keep-going -- -D warnings
check "lints (wasm)" cargo clippy "${CARGO_LOCKED[@]}" -p domain -p app -p frontend --lib \
  --target wasm32-unknown-unknown -- -D warnings
cargo_tests
check "server (dev)" scripts/server.sh dev
check "site (dev)" scripts/site.sh dev "$TARGET/site-test"
check "package (dev)" scripts/package.sh dev "$TARGET/package"
if [ -x "$TARGET/debug/autosint" ] && [ -d "$TARGET/site-test" ]; then
  journeys end-to-end end2end
  scaled_journeys
else
  count 0 1
  failure "end-to-end: nothing was built to test"
fi

for name in "${failures[@]}"; do say "failed: $name"; done
say "all tests took $(($(date +%s) - STARTED)) s"
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ] && [ "${#failures[@]}" -eq 0 ]
