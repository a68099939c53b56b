#!/usr/bin/env bash
# dev.sh: `cargo leptos watch`. Only here is cargo-leptos needed; the other commands build the site without it.
source "$(dirname "$0")/lib.sh"

version=0.3.10
scripts/setup.sh build
install() { cargo install --locked --debug --root "$1" "cargo-leptos@$version"; }
[ -d "$CACHE/cargo-leptos-$version" ] || step "cargo-leptos $version (about 5 minutes, once)" \
  install_dir "$CACHE/cargo-leptos-$version" install

# cargo-leptos takes wasm-bindgen and sass from PATH before it thinks of downloading them.
bindgen="$(dirname "$(wasm_bindgen_path "$(locked_version wasm-bindgen)")")"
export PATH="$CACHE/cargo-leptos-$version/bin:$bindgen:$ROOT/frontend/node_modules/.bin:$PATH"
export AUTOSINT__EMBED__MODEL_DIR="${AUTOSINT__EMBED__MODEL_DIR:-$MODEL_DIR}"
exec cargo leptos watch -- serve --listen "${LISTEN:-127.0.0.1:3000}" --data-dir "$(realpath -m "${DATA_DIR:-data}")"
