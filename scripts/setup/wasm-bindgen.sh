#!/usr/bin/env bash
# The wasm-bindgen command in exactly the version of Cargo.lock: it refuses what any other version compiled.
source "$(dirname "$0")/../lib.sh"

version="$(locked_version wasm-bindgen)"
path="$(wasm_bindgen_path "$version")"

# From source with its Cargo.lock, because a prebuilt program has no checksum here. A build folder that stays until the end, so that an
# interrupted installation goes on where it was.
install() {
  local build="$CACHE/build/wasm-bindgen-$version"
  CARGO_TARGET_DIR="$build" cargo install --locked --debug --root "$1" "wasm-bindgen-cli@$version"
  rm -rf "$build"
}

[ -x "$path" ] || step "wasm-bindgen $version" install_dir "$CACHE/wasm-bindgen-$version" install
