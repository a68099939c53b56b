#!/usr/bin/env bash
# dependencies.sh: checks licences, banned crates and registries of all dependencies (deny.toml), which it downloads where they are missing.
# With CI set it also looks for known vulnerabilities of crates and npm packages, where their databases can be had.
source "$(dirname "$0")/lib.sh"

deny() { PATH="$CARGO_DENY_DIR:$PATH" cargo deny "$@"; }

cargo fetch "${CARGO_LOCKED[@]}"
deny --offline check bans licenses sources
[ -n "${CI:-}" ] || exit 0
if deny fetch db; then
  deny --offline check advisories
else
  say "advisories: not checked, their database cannot be had from here"
fi
for folder in frontend end2end; do
  report="$(cd "$folder" && npm audit --audit-level=high --json 2>/dev/null)" && continue
  # A report without this key says that the registry does not answer.
  grep -q '"auditReportVersion"' <<<"$report" && die "npm audit of $folder: $report"
  say "npm audit of $folder: not checked, the registry does not answer"
done
