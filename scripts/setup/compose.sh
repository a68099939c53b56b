#!/usr/bin/env bash
# docker-compose, which resolves the files that containers are made of. No container is started, and no Docker engine is needed.
source "$(dirname "$0")/../lib.sh"

command -v docker-compose >/dev/null 2>&1 || step "docker-compose" apt_install docker-compose
