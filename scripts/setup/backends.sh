# shellcheck shell=bash
# The services that conformance suites run against besides the embedded store: PostgreSQL, Neo4j and Redis will be
# set up, started on loopback and stopped here, and their addresses exported. Sourced by scripts/test.sh.
# So far the embedded SQLite is the only backend, and needs nothing.
say "backends: embedded SQLite"
