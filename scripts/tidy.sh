#!/usr/bin/env bash
# tidy.sh: the rules of this tree that no compiler knows. Prints every breach, one a line.
source "$(dirname "$0")/lib.sh"

max_lines=500
breaches=()
breach() { breaches+=("$*"); }

# Lines before the first test module count; files of tests and generated files do not.
while IFS= read -r file; do
  case "$file" in */mod.rs) breach "$file: name the module's file after the module, not mod.rs" ;; esac
  case "$file" in */tests/* | */tests.rs | */generated/*) continue ;; esac
  lines="$(awk '/^#\[cfg\(test\)\]/ { exit } { n++ } END { print n + 0 }' "$file")"
  [ "$lines" -le "$max_lines" ] || breach "$file: $lines lines, at most $max_lines: are these two ideas?"
done < <(git ls-files '*.rs')

# Names and headers are in the terms of the field. A word listed here is no part of an identifier or of a file's name (strings and
# comments aside); the types and functions after it say nothing where grep shows them alone. A doc comment begins with the name of the
# thing. Test names and comments are plain sentences: they have a subject, and state what is instead of what is not. Docs that models
# read as part of a tool's schema are changed together with the recordings only (docs/recordings.md); docs of arguments are help texts.
while IFS= read -r line; do breach "$line"; done < <(git ls-files '*.rs' | xargs perl -e '
  my %unused = map { $_ => 1 } qw(
    afterwards arrivals dossier dossiers doors forgo happening happenings heir heirs lure lures manners movable outlast patiently
    prospect prospects scissors shelf shelves voice voices whence);
  my $types = "Asked|Belongs|Called|Carried|Counted|Drawn|Evidenced|Found|Given|Grounded|Held|Judged|Kept|Known|Learned|Left|Listed|" .
    "Moved|Named|Noted|Occurred|Published|Refused|Rejected|Said|Seen|Sent|Settled|Shown|Spent|Stated|Told|Touched|Tried|Used|Wanted|" .
    "Written|Book|Cast|Desk|Duty|Ear|Ground|Home|Moments|Place|Seat|Ways|Whole";
  my $functions = "carry|carry_out|hear|known|of|of_word|said|shown|stated|tell|told|work|work_on";
  my $test_opening = qr/^(?:neither|nobody|nor|of|that|what|whatever|who|whoever|whom|whose)_/;
  my $test_words = qr/(?:^|_)(comes_to|heard|is_none|mended|mends|nobody|said|spelt|stands|told|whatever|whoever)(?:_|$)/;
  my $suite = qr/\((?:\w+: &(?:TestBackend|GraphFixture)\)|\w+ in )/;
  my $riddles = qr/\b(nobody|whatever|whoever|(?:is|are) told|stands for|heard of it|(?<!there )(?:is|are) none|mends|comes to)\b/i;
  my $for_models = qr{^protocol/src/tools|^domain/src/(assessment/(argument|body|brief|change|dissent|outlook)|likelihood)\.rs};
  # Docs that are shown to models or users.
  my $is_exempt = qr{$for_models|^domain/src/claim\.rs|^server/src/cli/};
  for my $file (@ARGV) {
    $unused{$_} and print "$file: \"$_\" is not used in names\n" for map { lc } split m{[/_.]}, $file;
    open my $in, "<", $file or next;
    my $text = do { local $/; <$in> };
    # Literals and comments leave their line ends, docs their first word.
    my $blank = sub { my $lines = $_[0] =~ tr/\n//; "\n" x $lines };
    my ($source, @comments) = ($text);
    $text =~ s{(//[/!] ?\w*)[^\n]*|//[^\n]*|\br(#*)"(?:.*?)"\2|"(?:[^"\\]|\\.)*"|\x27(?:[^\x27\\\n]|\\.)\x27}
      {push @comments, [$-[0], $&] if substr($&, 0, 2) eq "//"; defined $1 ? $1 : $blank->($&)}gse;
    for (@comments) {
      my ($offset, $comment) = @$_;
      next if $file =~ $is_exempt || $comment !~ $riddles;
      my ($riddle, $line) = ($1, 1 + (substr($source, 0, $offset) =~ tr/\n//));
      print "$file:$line: a comment states what is, without \"$riddle\"\n";
    }
    my ($number, $in_docs, $is_test) = (0, 0, 0);
    for my $line (split /\n/, $text) {
      $number++;
      my $is_doc = $line =~ m{^\s*//[/!]};
      if ($is_doc && !$in_docs && $line =~ m{^\s*//[/!] (Who|Whose|Whom|What|Whatever|Whoever)$} && $file !~ $for_models) {
        print "$file:$number: a doc comment begins with the name of the thing, not with \"$1\"\n";
      }
      $in_docs = $is_doc;
      next if $is_doc;
      while ($line =~ /([A-Za-z_][A-Za-z0-9_]*)/g) {
        my ($name, $words) = ($1, $1);
        $words =~ s/([a-z0-9])([A-Z])/$1_$2/g;
        $unused{$_} and print "$file:$number: \"$_\" in $name is not used in names\n" for map { lc } split /_/, $words;
      }
      print "$file:$number: a type is a noun of the field, not $1\n" if $line =~ /\b(?:struct|enum|trait|type|union) ($types)\b/;
      print "$file:$number: a function is a verb that says what it does, not $1\n" if $line =~ /\bfn ($functions)\b/;
      $is_test = 1 if $line =~ /^\s*#\[(?:tokio::)?test\b/;
      if ($line =~ /\bfn (\w+)(.*)/) {
        my ($name, $rest) = ($1, $2);
        if ($is_test || $rest =~ /^$suite/) {
          print "$file:$number: a test name has a subject, a verb and an object: $name\n" if $name =~ $test_opening;
          print "$file:$number: \"$1\" is not used in the name of a test: $name\n" if $name =~ $test_words;
        }
        $is_test = 0;
      }
    }
  }')

# The same migrations, under the same names, for both databases.
for folder in migrations features/*/migrations; do
  [ -d "$folder" ] || continue
  names() { (cd "$folder/$1" 2>/dev/null && ls -1 -- *.sql) || true; }
  differing="$(diff <(names sqlite) <(names postgres) | grep '^[<>]' | tr '\n' ' ' || true)"
  [ -z "$differing" ] || breach "$folder/sqlite (<) and $folder/postgres (>) differ: $differing"
done

# Features: each is registered, imports no other, keeps its SQL in store.rs, and is named by no crate of the kernel. Its islands are
# registered in frontend, and compile for the browser.
for folder in features/*/; do
  name="$(basename "$folder")"
  grep -q "$name::feature()" server/src/features.rs || breach "$folder: not listed in server/src/features.rs"
  for other in features/*/; do
    other="$(basename "$other")"
    [ "$other" = "$name" ] || ! git grep -qE "\\b$other(_islands)?::" -- "$folder*.rs" || breach "$folder: imports the feature $other"
  done
  while IFS= read -r line; do breach "$line: SQL stands in store.rs"; done < <(
    git grep -nE 'sqlx::query|AssertSqlSafe|\b(execute|rows|values)!\(' -- "$folder*.rs" ":!${folder}src/store.rs" ":!${folder}src/store/*" | cut -c 1-120
  )
  while IFS= read -r line; do breach "$line: the kernel imports no feature"; done < <(
    git grep -nE "(^|[^A-Za-z_:])$name(_islands)?::" -- '*.rs' ":!$folder" ':!server/src/features.rs' ':!frontend/src/lib.rs' |
      cut -c 1-120
  )
  islands="${folder}islands/Cargo.toml"
  [ -f "$islands" ] || continue
  grep -qE "^${name}_islands = .*\"hydrate\"" frontend/Cargo.toml || breach "$islands: not listed in frontend/Cargo.toml"
  while IFS= read -r line; do breach "$islands:$line: not in the browser" ; done < <(
    grep -nE '^(adapters|engine|feature|fetch|server)\b' "$islands" | grep -v 'optional = true'
  )
done

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
done < <(git ls-files README.md ARCHITECTURE.md docs | grep '\.md$' | xargs grep -oE '`(app|adapters|benchmarks|docs|domain|engine|extractive|feature|features|fetch|frontend|protocol|public|server|views|config|scripts|deploy|end2end|migrations|style|testkit)/[A-Za-z0-9_./-]*`' | tr -d '`')

# Dependencies that need a system library or a second TLS stack.
for crate in openssl-sys aws-lc-sys native-tls; do
  ! grep -q "^name = \"$crate\"$" Cargo.lock || breach "Cargo.lock: $crate is not wanted (rustls with ring does its work)"
done

if [ "${#breaches[@]}" -gt 0 ]; then
  printf '%s\n' "${breaches[@]}"
  exit 1
fi
echo "tidy: $(git ls-files | wc -l) files, nothing to say"
