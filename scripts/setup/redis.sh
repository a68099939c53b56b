#!/usr/bin/env bash
# Redis for the tests, from the distribution. REDIS_SERVER names another one.
source "$(dirname "$0")/../lib.sh"

command -v "$REDIS_SERVER" >/dev/null 2>&1 || step "Redis" apt_install redis-server
