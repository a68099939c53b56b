#!/usr/bin/env bash
# Validators of STIX and JSON-LD for the tests, which are Python packages. They use no network when they run.
source "$(dirname "$0")/../lib.sh"

install() {
  python3 -m pip install --quiet --no-warn-conflicts --target "$1" \
    "stix2-validator==$STIX_VALIDATOR_VERSION" "pyld==$PYLD_VERSION"
}

if [ ! -d "$VALIDATORS_DIR" ]; then
  need python3 "install it (Debian: apt-get install python3 python3-pip), then repeat"
  python3 -m pip --version >/dev/null 2>&1 || die "pip is missing: install it (Debian: apt-get install python3-pip), then repeat"
  step "validators of STIX and JSON-LD (37 MB)" install_dir "$VALIDATORS_DIR" install
fi
