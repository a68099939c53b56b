#!/usr/bin/env bash
# dev.sh: development server (`cargo leptos watch`): rebuilds after each edit, and reloads open pages.
# Reads LISTEN, DATA_DIR and RELOAD_PORT. No other command needs cargo-leptos.
source "$(dirname "$0")/lib.sh"

version=0.3.10
scripts/setup.sh build
# It refuses a wasm-bindgen of any other version than that of Cargo.lock.
bindgen="$(locked_version wasm-bindgen)"
install() { cargo install --locked --debug --root "$1" "cargo-leptos@$version" "wasm-bindgen-cli@$bindgen"; }
tools="$CACHE/cargo-leptos-$version-$bindgen"
[ -d "$tools" ] || step "cargo-leptos $version (about 6 minutes, once)" install_dir "$tools" install

# cargo-leptos copies only public/, and empties its site first, so that site is separate from the one of `make build`.
node scripts/fonts.mjs public/fonts
copy_vendor public/vendor
# It looks for changed styles only beside style/main.scss.
follow_feature_styles() {
  local file
  while sleep 1 && kill -0 $$ 2>/dev/null; do
    for file in features/*/style.css; do
      [ ! "$file" -nt style/main.scss ] || { list_feature_styles; touch style/main.scss; }
    done
  done
}
list_feature_styles
follow_feature_styles &
export LEPTOS_SITE_ROOT="$TARGET/site-dev" LEPTOS_SITE_ADDR="${LISTEN:-127.0.0.1:3000}" LEPTOS_RELOAD_PORT="${RELOAD_PORT:-3001}"
export AUTOSINT__SERVER__SITE_ROOT="$LEPTOS_SITE_ROOT" AUTOSINT__SERVER__RELOAD_PORT="$LEPTOS_RELOAD_PORT"

# cargo-leptos prefers wasm-bindgen and sass from PATH to downloads.
export PATH="$tools/bin:$ROOT/frontend/node_modules/.bin:$PATH"
export AUTOSINT__EMBED__MODEL_DIR="${AUTOSINT__EMBED__MODEL_DIR:-$MODEL_DIR}"
allow_browser_as_root
say "building, then serving on http://$LEPTOS_SITE_ADDR; the first build takes some minutes (Ctrl-C stops it)"
exec cargo leptos watch -- serve --listen "$LEPTOS_SITE_ADDR" --data-dir "$(realpath -m "${DATA_DIR:-data}")"
