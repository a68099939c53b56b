#!/usr/bin/env bash
# Chromium with the libraries and a font it needs, from the distribution. CHROMIUM names another one.
source "$(dirname "$0")/../lib.sh"

command -v "${CHROMIUM:-chromium}" >/dev/null 2>&1 || step "Chromium" apt_install chromium fonts-liberation
