#!/usr/bin/env bash
# dev.sh: `cargo leptos watch`: what is edited is built and served again, and open pages load themselves again.
# LISTEN, DATA_DIR and RELOAD_PORT say where. Only here is cargo-leptos needed; the other commands build the site without it.
source "$(dirname "$0")/lib.sh"

version=0.3.10
scripts/setup.sh build
install() { cargo install --locked --debug --root "$1" "cargo-leptos@$version"; }
[ -d "$CACHE/cargo-leptos-$version" ] || step "cargo-leptos $version (about 5 minutes, once)" \
  install_dir "$CACHE/cargo-leptos-$version" install

# cargo-leptos copies public/ and nothing else; it empties its site first, which therefore is not that of `make build`.
copy_fonts public/fonts
export LEPTOS_SITE_ROOT="$TARGET/site-dev" LEPTOS_SITE_ADDR="${LISTEN:-127.0.0.1:3000}" LEPTOS_RELOAD_PORT="${RELOAD_PORT:-3001}"
export AUTOSINT__SERVER__SITE_ROOT="$LEPTOS_SITE_ROOT" AUTOSINT__SERVER__RELOAD_PORT="$LEPTOS_RELOAD_PORT"

# cargo-leptos takes wasm-bindgen and sass from PATH before it thinks of downloading them.
bindgen="$(dirname "$(wasm_bindgen_path "$(locked_version wasm-bindgen)")")"
export PATH="$CACHE/cargo-leptos-$version/bin:$bindgen:$ROOT/frontend/node_modules/.bin:$PATH"
export AUTOSINT__EMBED__MODEL_DIR="${AUTOSINT__EMBED__MODEL_DIR:-$MODEL_DIR}"
say "building, then serving on http://$LEPTOS_SITE_ADDR; the first build takes some minutes (Ctrl-C stops it)"
exec cargo leptos watch -- serve --listen "$LEPTOS_SITE_ADDR" --data-dir "$(realpath -m "${DATA_DIR:-data}")"
