#!/usr/bin/env bash
# site.sh dev|release FOLDER: builds the site files: pkg/autosint.{js,css}, pkg/autosint_bg.wasm, the same for the
# explorer (pkg/autosint-explorer.js, pkg/autosint-explorer_bg.wasm), fonts/, public/.
# These are the names that `LiveScripts` and `ExplorerScripts` ask for, unless LEPTOS_OUTPUT_NAME is set while it compiles.
source "$(dirname "$0")/lib.sh"

mode="${1:-}" site="$(realpath -m "${2:-$TARGET/site}")"
case "$mode" in
  dev) cargo_profile=dev built=debug ;;
  release) cargo_profile=wasm-release built=wasm-release ;;
  *) die "usage: scripts/site.sh dev|release [FOLDER]" ;;
esac
wasm="$TARGET/wasm32-unknown-unknown/$built/frontend.wasm"
unbound="$TARGET/site-$mode-wasm"
modules=(autosint autosint-explorer)
tools="$ROOT/frontend/node_modules"
# Features that rustc uses by default and current browsers support; the optimiser must not add others.
features=(--enable-bulk-memory --enable-bulk-memory-opt --enable-multivalue --enable-mutable-globals
  --enable-nontrapping-float-to-int --enable-reference-types --enable-sign-ext)

# Hash of everything that the bound files depend on.
made_from() { cat "$unbound"/*.wasm frontend/package-lock.json frontend/bindgen/src/main.rs scripts/site.sh | sha256sum; }

# Compiles one crate with the islands of the explorer, and with those of all other pages.
compile() {
  local build=(cargo build "${CARGO_LOCKED[@]}" -p frontend --lib --target wasm32-unknown-unknown --profile "$cargo_profile")
  mkdir -p "$unbound"
  "${build[@]}" --no-default-features --features explorer
  cp "$wasm" "$unbound/autosint-explorer.wasm"
  "${build[@]}"
  cp "$wasm" "$unbound/autosint.wasm"
}

# Binds and optimises JavaScript and WebAssembly. Cached, because optimising takes longer than compiling.
bind() {
  rm -rf "$1.new" && mkdir -p "$1.new"
  local module
  for module in "${modules[@]}"; do
    "$TARGET/debug/bindgen" "$unbound/$module.wasm" "$1.new" "$module"
    [ "$mode" = release ] || continue
    node "$tools/binaryen/bin/wasm-opt" -Oz "${features[@]}" "$1.new/${module}_bg.wasm" -o "$1.new/optimised.wasm"
    mv "$1.new/optimised.wasm" "$1.new/${module}_bg.wasm"
  done
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
step "site: compile to wasm ($mode)" compile
if [ "$(cat "$bound/.made-from" 2>/dev/null)" != "$(made_from)" ]; then
  step "site: bind ($mode)" bind "$bound"
fi
step "site: assemble ($mode)" assemble "$bound"
