#!/usr/bin/env bash
# site.sh dev|release FOLDER: builds the site files: pkg/autosint.{js,css}, pkg/autosint_bg.wasm, fonts/, public/.
# These are the names that `LiveScripts` asks for, unless LEPTOS_OUTPUT_NAME is set while it compiles.
source "$(dirname "$0")/lib.sh"

mode="${1:-}" site="$(realpath -m "${2:-$TARGET/site}")"
case "$mode" in
  dev) cargo_profile=dev built=debug ;;
  release) cargo_profile=wasm-release built=wasm-release ;;
  *) die "usage: scripts/site.sh dev|release [FOLDER]" ;;
esac
wasm="$TARGET/wasm32-unknown-unknown/$built/frontend.wasm"
tools="$ROOT/frontend/node_modules"
# Features that rustc uses by default and current browsers support; the optimiser must not add others.
features=(--enable-bulk-memory --enable-bulk-memory-opt --enable-multivalue --enable-mutable-globals
  --enable-nontrapping-float-to-int --enable-reference-types --enable-sign-ext)

# Hash of everything that the bound files depend on.
made_from() { cat "$wasm" frontend/package-lock.json frontend/bindgen/src/main.rs scripts/site.sh | sha256sum; }

# Binds and optimises JavaScript and WebAssembly. Cached, because optimising takes longer than compiling.
bind() {
  rm -rf "$1.new" && mkdir -p "$1.new"
  "$TARGET/debug/bindgen" "$wasm" "$1.new"
  if [ "$mode" = release ]; then
    node "$tools/binaryen/bin/wasm-opt" -Oz "${features[@]}" "$1.new/autosint_bg.wasm" -o "$1.new/optimised.wasm"
    mv "$1.new/optimised.wasm" "$1.new/autosint_bg.wasm"
  fi
  made_from >"$1.new/.made-from"
  rm -rf "$1" && mv "$1.new" "$1"
}

assemble() {
  local fresh="$site.new"
  rm -rf "$fresh" && mkdir -p "$fresh"
  cp -R "$1" "$fresh/pkg"
  rm "$fresh/pkg/.made-from"
  list_feature_styles
  node "$tools/sass/sass.js" --no-source-map --style=compressed style/main.scss "$fresh/pkg/autosint.css"
  [ ! -d public ] || cp -R public/. "$fresh/"
  node scripts/fonts.mjs "$fresh/fonts"
  copy_vendor "$fresh/vendor"
  [ "$mode" = dev ] || node scripts/compress.mjs "$fresh"
  rm -rf "$site" && mv "$fresh" "$site"
}

bound="$TARGET/site-$mode-pkg"
# `make test` has compiled it with everything else.
if [ ! "$TARGET/debug/bindgen" -nt Cargo.lock ] || [ ! "$TARGET/debug/bindgen" -nt frontend/bindgen/src/main.rs ]; then
  step "site: compile bindgen" cargo build "${CARGO_LOCKED[@]}" -p bindgen
fi
step "site: compile to wasm ($mode)" cargo build "${CARGO_LOCKED[@]}" -p frontend --lib \
  --target wasm32-unknown-unknown --profile "$cargo_profile"
if [ "$(cat "$bound/.made-from" 2>/dev/null)" != "$(made_from)" ]; then
  step "site: bind ($mode)" bind "$bound"
fi
step "site: assemble ($mode)" assemble "$bound"
