#!/usr/bin/env bash
# npm.sh FOLDER: the packages of FOLDER/package-lock.json, without running any script of theirs.
source "$(dirname "$0")/../lib.sh"

folder=$1
need node "install Node.js 20 or newer (Debian: apt-get install nodejs npm), then repeat"
need npm "install npm (Debian: apt-get install npm), then repeat"
major="$(node -p 'process.versions.node.split(".")[0]')"
[ "$major" -ge 20 ] || die "Node.js 20 or newer is needed, this is $(node --version): install a newer one, then repeat"

stamp="$folder/node_modules/.installed"
lock_sum="$(sha256sum <"$folder/package-lock.json")"
install() {
  (cd "$folder" && PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD=1 npm ci --ignore-scripts --no-audit --no-fund)
  echo "$lock_sum" >"$stamp"
}

[ "$(cat "$stamp" 2>/dev/null)" = "$lock_sum" ] || step "npm packages of $folder" install
