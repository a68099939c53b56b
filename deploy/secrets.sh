#!/bin/sh
# Creates the passwords and keys of docker-compose.yml, one per file, in a folder (default: secrets). Files that exist are kept.
# The folder is closed to other accounts. The files are not, because each container reads its own under its own account.
set -eu
umask 022
folder="${1:-secrets}"
mkdir -p "$folder"
chmod 700 "$folder"

random() {
    od -An -v -tx1 -N "$1" /dev/urandom | tr -d ' \n'
}

# Writes a file, unless it exists.
create() {
    [ -e "$folder/$1" ] || printf '%s\n' "$2" >"$folder/$1"
}

password_of() {
    create "$1_password" "$(random 24)"
    cat "$folder/$1_password"
}

create sql_url "postgres://autosint:$(password_of postgres)@postgres:5432/autosint"
redis="$(random 24)"
create redis_conf "requirepass $redis"
create redis_url "redis://:$(sed -n 's/^requirepass //p' "$folder/redis_conf")@redis:6379"
create neo4j_auth "neo4j/$(password_of neo4j)"
create grafana_password "$(random 24)"
# Seals the keys of providers that are stored on the page /settings.
create secret_key "$(random 32)"
# Keys of model providers: empty until you write them.
create anthropic_api_key ""
create openai_api_key ""
