#!/usr/bin/env bash
# package.sh dev|release|dist FOLDER: packages the build as a relocatable folder: bin/, site/, config/, models/.
source "$(dirname "$0")/lib.sh"

mode="${1:-}" into="$(realpath -m "${2:-$TARGET/package}")"
case "$mode" in
  dev) program="$TARGET/debug/autosint" site="$TARGET/site-test" ;;
  release | dist) program="$TARGET/$mode/autosint" site="$TARGET/site" ;;
  *) die "usage: scripts/package.sh dev|release|dist [FOLDER]" ;;
esac
[ -x "$program" ] && [ -d "$site" ] || die "$program or $site is missing: build them first (make build; scripts/server.sh dist)"

pack() {
  rm -rf "$into.new" && mkdir -p "$into.new/bin" "$into.new/models"
  # Without debug information, which is most of a dev build.
  strip --strip-debug -o "$into.new/bin/autosint" "$program" 2>/dev/null || cp "$program" "$into.new/bin/autosint"
  cp -R "$site" "$into.new/site"
  cp -R config "$into.new/config"
  cp -R "$MODEL_DIR" "$into.new/models/"
  cp LICENSE "$into.new/"
  chmod -R a+rX "$into.new"
  rm -rf "$into" && mv "$into.new" "$into"
}

# Checks that the folder is self-contained.
check_package() {
  local scratch
  scratch="$(mktemp -d)"
  (cd "$into" && env -i PATH=/usr/bin:/bin AUTOSINT__EMBED__MODEL_DIR="$into/models/all-MiniLM-L6-v2" \
    bin/autosint doctor --data-dir "$scratch")
  rm -rf "$scratch"
}

step "package ($mode)" pack
step "package ($mode): self-contained" check_package
