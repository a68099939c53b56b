#!/usr/bin/env bash
# tidy.sh: the rules of this tree that no compiler knows. Prints every breach, one a line.
source "$(dirname "$0")/lib.sh"

max_lines=500
breaches=()
breach() { breaches+=("$*"); }

# Lines before the first test module count; files of tests and generated files do not.
while IFS= read -r file; do
  case "$file" in */mod.rs) breach "$file: name the module's file after the module, not mod.rs" ;; esac
  case "$file" in */tests/* | */tests.rs | */benches/* | */generated/*) continue ;; esac
  lines="$(awk '/^#\[cfg\(test\)\]/ { exit } { n++ } END { print n + 0 }' "$file")"
  [ "$lines" -le "$max_lines" ] || breach "$file: $lines lines, at most $max_lines: are these two ideas?"
done < <(git ls-files '*.rs')

# The same migrations, under the same names, for both databases.
if [ -d migrations ]; then
  names() { (cd "migrations/$1" 2>/dev/null && ls -1 -- *.sql) || true; }
  differing="$(diff <(names sqlite) <(names postgres) | grep '^[<>]' | tr '\n' ' ' || true)"
  [ -z "$differing" ] || breach "migrations/sqlite (<) and migrations/postgres (>) differ: $differing"
fi

# Nothing that holds on one machine only: registry addresses in lock and settings files, folders of a person.
while IFS= read -r line; do breach "$line: an address of a registry"; done < <(
  git ls-files '*package-lock.json' | xargs -r grep -nE '"resolved": *"https?:' | cut -c 1-120
  git ls-files '*.npmrc' '*pip.conf' '.cargo/*' | xargs -r grep -nE '^ *(@?[a-z:]*registry|index-url|index|replace-with) *=' /dev/null
  grep -nE '^source = ' Cargo.lock | grep -v '"registry+https://github.com/rust-lang/crates.io-index"'
)
while IFS= read -r line; do breach "$line: a path of one machine"; done < <(
  git grep -nIE '(^|[^A-Za-z0-9_.:/-])/(root|work|Users|home/[a-z]+)/[A-Za-z._]' -- . ':!scripts/tidy.sh' ':!LICENSE' ':!config/samples' |
    cut -c 1-160
)

# Documentation names files and folders that exist: in links, and as paths in backticks.
while IFS=: read -r file target; do
  [ -e "$(dirname "$file")/${target%%#*}" ] || breach "$file: links to $target, which is not there"
done < <(git ls-files '*.md' ':!config/samples' | xargs grep -oE '\]\([^)]+\)' | sed -E 's/\]\(([^) ]+)\)$/\1/' | grep -vE ':(https?:|#)')
while IFS=: read -r file target; do
  [ -e "$target" ] || breach "$file: names $target, which is not there"
done < <(git ls-files README.md ARCHITECTURE.md docs | grep '\.md$' | xargs grep -oE '`(app|adapters|domain|engine|fetch|frontend|server|config|scripts|deploy|end2end|migrations|style)/[A-Za-z0-9_./-]*`' | tr -d '`')

# Dependencies that need a system library or a second TLS stack.
for crate in openssl-sys aws-lc-sys native-tls; do
  ! grep -q "^name = \"$crate\"$" Cargo.lock || breach "Cargo.lock: $crate is not wanted (rustls with ring does its work)"
done

if [ "${#breaches[@]}" -gt 0 ]; then
  printf '%s\n' "${breaches[@]}"
  exit 1
fi
echo "tidy: $(git ls-files | wc -l) files, nothing to say"
