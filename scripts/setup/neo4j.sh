#!/usr/bin/env bash
# Neo4j Community 5.26 for the tests: its Maven artifacts, run by the Java of a JDK through scripts/setup/neo4j/Server.java.
source "$(dirname "$0")/../lib.sh"

jars=214

# As many archives as that version consists of, each of them whole (a zip ends with its directory).
is_complete() {
  [ "$(find "$1" -name '*.jar' | wc -l)" -eq "$jars" ] || { echo "$(find "$1" -name '*.jar' | wc -l) of $jars archives"; return 1; }
  python3 - "$1" <<'PYTHON'
import glob, sys, zipfile
broken = [path for path in glob.glob(sys.argv[1] + "/*.jar") if not zipfile.is_zipfile(path)]
sys.exit(f"broken: {broken}" if broken else 0)
PYTHON
}

install() {
  local into=$1 project
  project="$(mktemp -d)"
  sed "s/@VERSION@/$NEO4J_VERSION/" scripts/setup/neo4j/pom.xml >"$project/pom.xml"
  # Maven keeps what it has fetched: an interrupted installation goes on where it was.
  (cd "$project" && mvn --batch-mode --no-transfer-progress dependency:copy-dependencies -DincludeScope=runtime -DoutputDirectory="$into/lib")
  rm -rf "$project"
  is_complete "$into/lib"
}

has_jdk() { [ "$(javac -version 2>&1 | sed -n 's/^javac \([0-9]*\).*/\1/p')" -ge 17 ] 2>/dev/null; }

has_jdk || step "JDK 17" apt_install openjdk-17-jdk-headless
if [ ! -d "$NEO4J_DIR" ]; then
  need python3 "install it (Debian: apt-get install python3), then repeat"
  command -v mvn >/dev/null 2>&1 || step "Maven" apt_install maven
  step "Neo4j $NEO4J_VERSION (116 MB)" install_dir "$NEO4J_DIR" install
fi
