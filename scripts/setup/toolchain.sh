#!/usr/bin/env bash
# The Rust toolchain of rust-toolchain.toml with its components and targets (rustup may be set not to do so by itself).
source "$(dirname "$0")/../lib.sh"

need rustup "install it from https://rustup.rs, then repeat"
# The words inside the quotation marks of one key.
value_of() { sed -n "s/^$1 = //p" rust-toolchain.toml | tr -d '[]" '; }
channel="$(value_of channel)"
components="$(value_of components)"
targets="$(value_of targets)"

# Everything that was asked for, one a line, that rustup does not list as installed.
missing() {
  local have
  have="$(rustup component list --installed --toolchain "$channel" 2>/dev/null)" || { echo "$channel"; return; }
  for component in ${components//,/ }; do grep -q "^$component-\?" <<<"$have" || echo "$component"; done
  for target in ${targets//,/ }; do grep -q "^rust-std-$target$" <<<"$have" || echo "$target"; done
}

[ -z "$(missing)" ] || step "Rust $channel" rustup toolchain install "$channel" --no-self-update \
  --profile "$(value_of profile)" --component "$components" --target "$targets"
