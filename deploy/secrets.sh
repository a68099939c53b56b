#!/bin/sh
# Creates the passwords and keys of docker-compose.yml, one per file, in a folder (default: secrets). Files with a text are kept, but
# an address of our own services that has a former password gets the new one.
# The folder is closed to other accounts. The files are not, because each container reads its own under its own account.
set -eu
umask 022
folder="${1:-secrets}"
created=" "
mkdir -p "$folder"
chmod 700 "$folder"

# Prints random bytes as hexadecimal digits. Ends the script where there are none: nothing gets an empty password.
random() {
    digits="$(od -An -v -tx1 -N "$1" /dev/urandom | tr -d ' \n')"
    [ "${#digits}" -eq $(($1 * 2)) ] || { echo "secrets.sh: no random numbers from /dev/urandom" >&2; exit 1; }
    printf '%s' "$digits"
}

# Whether a file has a text. One that cannot be read is taken to have one.
has() { [ -s "$folder/$1" ] && { grep -q . "$folder/$1" || [ $? -gt 1 ]; }; }

# Writes a file, unless there is one with a text. An interrupted run leaves no part of one.
create() {
    ! has "$1" || return 0
    printf '%s\n' "$2" >"$folder/$1.new"
    mv "$folder/$1.new" "$folder/$1"
}

# An assignment, unlike an argument, ends the script where `random` fails.
create_random() {
    ! has "$1" || return 0
    secret="$(random "$2")"
    create "$1" "${3:-}$secret"
    created="$created$1 "
}

# derive FILE OF BEFORE PASSWORD AFTER: writes a text with the password of another file.
derive() {
    case "$created" in
    *" $2 "*) case "$(cat "$folder/$1" 2>/dev/null)" in "$3"*"$5") rm "$folder/$1" ;; esac ;;
    esac
    create "$1" "$3$4$5"
}

create_random postgres_password 24
derive sql_url postgres_password "postgres://autosint:" "$(cat "$folder/postgres_password")" "@postgres:5432/autosint"
create_random redis_conf 24 "requirepass "
derive redis_url redis_conf "redis://:" "$(sed -n 's/^requirepass //p' "$folder/redis_conf")" "@redis:6379"
create_random neo4j_password 24
derive neo4j_auth neo4j_password "neo4j/" "$(cat "$folder/neo4j_password")" ""
create_random grafana_password 24
# Seals the keys of providers that are stored on the page /settings.
create_random secret_key 32
# Keys of model providers: empty until you write them.
create anthropic_api_key ""
create openai_api_key ""
