#!/usr/bin/env bash
# test.sh [fast]: every test, cheapest first, in the dev profile. Goes on after a failure, and ends with "N passed, N failed".
# Each check (formatting, tidiness, lints, the site) counts as one; of test binaries and Playwright every test counts.
# fast: without PostgreSQL, Redis, Neo4j (their tests are skipped), WebAssembly and the journeys.
source "$(dirname "$0")/lib.sh"

mode="${1:-all}"
case "$mode" in
  all)
    scripts/setup.sh test
    # One obvious place for the services that conformance suites run against: it exports their addresses.
    source scripts/setup/backends.sh
    export REQUIRE_BACKENDS=1
    export AUTOSINT_TEST_VALIDATORS="${AUTOSINT_TEST_VALIDATORS:-$VALIDATORS_DIR}"
    ;;
  fast) scripts/setup.sh test-fast ;;
  *) die "usage: scripts/test.sh [fast]" ;;
esac
export AUTOSINT__EMBED__MODEL_DIR="${AUTOSINT__EMBED__MODEL_DIR:-$MODEL_DIR}"
# Threads of tests have the stack that the program gives its own (WORKER_STACK_BYTES): pages are deep without optimisation.
export RUST_MIN_STACK=$((16 * 1024 * 1024))
# Tests run in the folder of their crate: a relative path would mean something else there.
[ -z "${AUTOSINT_TESTDATA:-}" ] || AUTOSINT_TESTDATA="$(realpath "$AUTOSINT_TESTDATA")"
[ -z "${AUTOSINT_TESTDATA:-}" ] || export AUTOSINT_TESTDATA
# Clippy's driver is the compiler with lints: one compilation serves both. Cargo keeps its results apart from those of plain builds.
RUSTC_WORKSPACE_WRAPPER="$(rustup which clippy-driver)"
export RUSTC_WORKSPACE_WRAPPER
MESSAGES="$TARGET/test-build.json"

passed=0 failed=0 failures=() reasons=""
count() { passed=$((passed + $1)) failed=$((failed + $2)); }
failure() { failures+=("$1"); }

# check LABEL COMMAND…: one step that counts as one test.
check() {
  if step "$@"; then count 1 0; else count 0 1; failure "$1"; fi
}

# Everything but `frontend`, whose features (hydrate) and those of the server (ssr) exclude each other in one build.
native=("${CARGO_LOCKED[@]}" --workspace --exclude frontend)

# compile: everything that is not for the browser, with its tests and benchmarks. The compiler is clippy's, so that nothing is compiled
# once for lints and once more to run. Cargo repeats the warnings of what it has already compiled.
compile() {
  cargo build "${native[@]}" --all-targets --keep-going --message-format=json-render-diagnostics >"$MESSAGES"
}

# has_no_warnings LABEL: whether the log of a compilation is free of warnings, lints included.
has_no_warnings() {
  ! grep -E '^(warning|error)' "$(log_of "$1")"
}

cargo_tests() {
  local log="$LOGS/tests.log" rc=0 p f
  say "tests …"
  node scripts/run-tests.mjs "$MESSAGES" "$LOGS" 2>&1 | tee "$log" || rc=$?
  read -r p f < <(awk '/^[0-9]+ passed, [0-9]+ failed$/ { p = $1; f = $3 } END { print p + 0, f + 0 }' "$log")
  count "$p" "$f"
  [ "$rc" -eq 0 ] || failure "tests"
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
    reasons+="$(node scripts/journey-failures.mjs "$results")"$'\n'
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

# tested_tree: the hash of the committed tree; nothing where files differ from it or where this is no checkout.
tested_tree() {
  [ -z "$(git status --porcelain 2>&1)" ] && git rev-parse 'HEAD^{tree}'
}
tree="$(tested_tree || true)"

# record_success: writes target/tests-passed (hash of the tested tree, counts, seconds), if the tree is still the one of the start.
record_success() {
  [ "$mode" = all ] && [ -n "$tree" ] && [ "$tree" = "$(tested_tree || true)" ] || return 0
  echo "$tree $passed passed, $(($(date +%s) - STARTED)) s" >"$TARGET/tests-passed"
}

# finish: the failures with their reasons, the time, the sum; ends the script.
finish() {
  printf '%s' "$reasons"
  for name in "${failures[@]}"; do say "failed: $name"; done
  say "all tests took $(($(date +%s) - STARTED)) s"
  echo "$passed passed, $failed failed"
  [ "$failed" -eq 0 ] && [ "${#failures[@]}" -eq 0 ] || exit 1
  record_success
  exit 0
}

check "formatting (cargo fmt --all mends it)" cargo fmt --all --check -- --files-with-diff
check "tidy" scripts/tidy.sh
[ "$mode" = fast ] || check "dependencies" scripts/dependencies.sh
[ "$mode" = fast ] || check "scripts of pages" node end2end/node_modules/typescript/bin/tsc --project scripts/pages.tsconfig.json
check "compilation" compile
check "lints" has_no_warnings "compilation"
[ "$mode" = fast ] || wait_for neo4j
cargo_tests
[ "$mode" = all ] || finish
check "site (dev)" scripts/site.sh dev "$TARGET/site-test"
check "lints (wasm)" has_no_warnings "site: compile to wasm (dev)"
check "package (dev)" scripts/package.sh dev "$TARGET/package"
# CI builds the image where a container engine answers; it compiles everything once more, so nobody waits for it at a desk.
if [ -n "${CI:-}" ] && docker info >/dev/null 2>&1; then
  check "container image" docker build --quiet --tag autosint:test .
else
  say "container image: not built (CI builds it where a container engine runs)"
fi
if [ -x "$TARGET/debug/autosint" ] && [ -d "$TARGET/site-test" ]; then
  journeys end-to-end end2end
  scaled_journeys
else
  count 0 1
  failure "end-to-end: nothing was built to test"
fi

finish
