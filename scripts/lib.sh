# shellcheck shell=bash disable=SC2034
# What every script here shares: where things are, one line per step, errors that say what to do.
# Sourced, never run. Nothing here installs or builds anything.

set -euo pipefail

ROOT="$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)"
cd "$ROOT"

# Tools and the embedding model live outside the tree, in folders named by version.
CACHE="${XDG_CACHE_HOME:-$HOME/.cache}/autosint"
MODEL_DIR="$CACHE/models/all-MiniLM-L6-v2"
POSTGRES_DIR="$CACHE/postgres-16.14"
CARGO_DENY_VERSION=0.20.2
CARGO_DENY_DIR="$CACHE/cargo-deny-$CARGO_DENY_VERSION"
STIX_VALIDATOR_VERSION=3.3.2
PYLD_VERSION=3.3.0
VALIDATORS_DIR="$CACHE/validators-stix-$STIX_VALIDATOR_VERSION-pyld-$PYLD_VERSION"
REDIS_SERVER="${REDIS_SERVER:-redis-server}"
NEO4J_VERSION=5.26.16
NEO4J_DIR="$CACHE/neo4j-$NEO4J_VERSION"
TARGET="$(realpath -m "${CARGO_TARGET_DIR:-target}")"
LOGS="$TARGET/logs"
mkdir -p "$CACHE" "$LOGS"

# In CI Cargo.lock does not change unnoticed.
CARGO_LOCKED=()
if [ -n "${CI:-}" ]; then
  CARGO_LOCKED=(--locked)
  # Nothing is compiled a second time there: this saves 4 GB.
  export CARGO_INCREMENTAL=0
fi

say() { printf '[%5s] %s\n' "$(($(date +%s) - STARTED)) s" "$*"; }
die() { printf 'autosint: %s\n' "$*" >&2; exit 1; }

trap 'exit 130' INT TERM

# Seconds are counted from the first script of a command, through all that it calls.
export STARTED="${STARTED:-$(date +%s)}"

# need COMMAND ADVICE: stops with one line where a command is missing.
need() { command -v "$1" >/dev/null 2>&1 || die "$1 is missing: $2"; }

# log_of LABEL: the log file of a step.
log_of() { echo "$LOGS/$(tr -cs 'a-z0-9\n' '-' <<<"${1,,}").log"; }

# step LABEL COMMAND…: one line before, one after, a sign of life between; the whole output where it fails.
# Invariant: COMMAND runs in the foreground, so that Ctrl-C reaches it.
step() {
  local label=$1 began=$SECONDS rc=0 log beat
  shift
  log="$(log_of "$label")"
  say "$label …"
  : >"$log"
  heartbeat "$label" "$log" &
  beat=$!
  # shellcheck disable=SC2064 # as they are now
  trap "kill $beat 2>/dev/null; say '$label: interrupted; the same command goes on from here'; exit 130" INT TERM
  set +e
  (set -e; "$@") >"$log" 2>&1
  rc=$?
  set -e
  kill "$beat" 2>/dev/null || true
  wait "$beat" 2>/dev/null || true
  trap 'exit 130' INT TERM
  if [ "$rc" -ne 0 ]; then
    cat "$log"
    say "$label: FAILED after $((SECONDS - began)) s (exit code $rc, log in $log)"
    return "$rc"
  fi
  say "$label: done in $((SECONDS - began)) s"
}

# The last line of a log, every 20 seconds, until the step that started this ends it.
heartbeat() {
  local parent=$$ pause
  trap 'kill "$pause" 2>/dev/null; exit 0' TERM
  while sleep 20 & pause=$!; wait "$pause"; kill -0 "$parent" 2>/dev/null; do
    say "  $1: $(tail -n 1 "$2" | tr -d '\r' | cut -c 1-110)"
  done
}

# allow_browser_as_root: for the server that this machine's own user starts. Chromium has no sandbox as root, and autosint starts it then
# only where a setting allows it. In production use another account (docs/security.md).
allow_browser_as_root() {
  [ "$(id -u)" -eq 0 ] || return 0
  export AUTOSINT__FETCH__BROWSER__ALLOW_ROOT="${AUTOSINT__FETCH__BROWSER__ALLOW_ROOT:-true}"
  say "running as root: pages that need scripts are rendered by a Chromium without its sandbox (AUTOSINT__FETCH__BROWSER__ALLOW_ROOT=false ends that)"
}

# install_dir FOLDER COMMAND…: runs COMMAND with a fresh folder as last argument, then renames that to FOLDER.
# An interrupted installation leaves no FOLDER and can simply be repeated; of two at once the first one wins.
# Invariant: called through `step`, in whose subshell a failing line ends it.
install_dir() {
  local final=$1 fresh
  shift
  mkdir -p "$(dirname "$final")"
  fresh="$(mktemp -d "$final.XXXXXX")"
  # shellcheck disable=SC2064 # as it is now
  trap "rm -rf '$fresh'" EXIT
  "$@" "$fresh"
  chmod 755 "$fresh"
  mv -T "$fresh" "$final" || [ -d "$final" ]
}

# copy_vendor FOLDER: the libraries of the graph explorer's picture, and the borders of the map of tensions.
copy_vendor() {
  local modules=frontend/node_modules
  mkdir -p "$1"
  cp $modules/cytoscape/dist/cytoscape.min.js "$1/cytoscape.js"
  cp $modules/layout-base/layout-base.js $modules/cose-base/cose-base.js $modules/cytoscape-fcose/cytoscape-fcose.js "$1/"
  node scripts/borders.mjs "$1/countries.json"
}

# list_feature_styles: writes the list of the styles in features/ that style/main.scss uses.
list_feature_styles() {
  local file
  for file in features/*/style.css; do
    [ ! -f "$file" ] || echo "@use \"../${file%.css}\" as $(basename "$(dirname "$file")");"
  done >style/_feature_styles.scss
}

# apt_install PACKAGE…: as root, or through sudo where that asks nothing.
apt_install() {
  local as=()
  command -v apt-get >/dev/null 2>&1 || die "please install what Debian calls: $*, then repeat"
  if [ "$(id -u)" -ne 0 ]; then
    sudo -n true 2>/dev/null || die "root is needed once: run 'apt-get install $*' as root, then repeat"
    as=(sudo -n)
  fi
  "${as[@]}" apt-get -o DPkg::Lock::Timeout=300 update -q
  "${as[@]}" env DEBIAN_FRONTEND=noninteractive \
    apt-get -o DPkg::Lock::Timeout=300 install -q -y --no-install-recommends "$@"
}

# The version of a crate in Cargo.lock.
locked_version() {
  awk -v name="\"$1\"" '$1 == "name" && $3 == name { getline; gsub(/"/, "", $3); print $3; exit }' Cargo.lock
}
