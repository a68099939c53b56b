#!/usr/bin/env bash
# A C compiler and linker: rustc links with it, and SQLite is compiled by it.
source "$(dirname "$0")/../lib.sh"

command -v cc >/dev/null 2>&1 || step "C compiler" apt_install gcc libc6-dev
