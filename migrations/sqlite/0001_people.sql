-- People: accounts with sign-in, teams, and collections with their readers.
-- A time is an integer of microseconds since 1970 UTC, an id is a blob of 16 bytes.

-- Accounts. Null in a boolean column means false.
create table users (
    id              blob primary key not null,
    name            text not null,
    name_key        text not null unique,
    role            text not null,
    -- A PHC string; null: cannot sign in.
    password_hash   text,
    -- Cannot sign in, and is signed out.
    disabled        integer not null default 0,
    created_at      integer not null,
    -- Caps of the account per day; null: as configured. Money in millionths of the configured currency.
    cap_tokens      integer,
    cap_micros      integer,
    -- The password was set by an administrator: the next sign-in asks for another.
    must_change     integer,
    -- Preferences: single-key shortcuts off, the sample hidden.
    shortcuts_off   integer,
    sample_hidden   integer,
    -- Last time on the home page, and end of the visit before.
    seen_at         integer,
    seen_before     integer,
    -- First steps: the sample was opened, the set-up list was dismissed.
    sample_seen     integer,
    setup_dismissed integer
) strict;

-- Browser sessions by the hash of their id.
create table web_sessions (
    id_hash    text primary key not null,
    user_id    blob references users (id) on delete cascade,
    device     text not null,
    data       text not null,
    started_at integer not null,
    used_at    integer not null,
    expires_at integer not null
) strict;
create index web_sessions_by_expiry on web_sessions (expires_at);
create index web_sessions_by_user on web_sessions (user_id);

-- Browsers in which a person has signed in, by the hash of the token in their cookie.
create table devices (
    token_hash text primary key not null,
    user_id    blob not null references users (id) on delete cascade,
    used_at    integer not null
) strict;
create index devices_by_user on devices (user_id, used_at);

-- One-time codes for the first account, one for each process that serves pages.
create table setup_codes (
    code_hash text primary key not null,
    made_at   integer not null
) strict;

create table audit_log (
    sequence integer primary key autoincrement,
    at       integer not null,
    user_id  blob,
    act      text not null,
    object   text not null,
    -- Network address of the request; null for the command line.
    address  text
) strict;
create index audit_log_by_time on audit_log (at);

-- Bytes that a person has uploaded on their last day with an upload. Days are counted from 1970-01-01, in UTC.
create table upload_days (
    user_id blob primary key not null references users (id) on delete cascade,
    day     integer not null,
    bytes   integer not null
) strict;

-- Teams: groups of people to whom reports and collections are shown. They own no documents.
create table teams (
    id         blob primary key not null,
    name       text not null,
    name_key   text not null unique,
    created_by blob not null references users (id),
    created_at integer not null
) strict;

create table team_members (
    team_id blob not null references teams (id) on delete cascade,
    user_id blob not null references users (id) on delete cascade,
    primary key (team_id, user_id)
) strict, without rowid;
create index team_members_by_user on team_members (user_id);

-- Invitations, which the invited accept or decline.
create table team_invitations (
    team_id    blob not null references teams (id) on delete cascade,
    user_id    blob not null references users (id) on delete cascade,
    invited_by blob not null references users (id),
    invited_at integer not null,
    primary key (team_id, user_id)
) strict, without rowid;
create index team_invitations_by_user on team_invitations (user_id);

-- A record of members who joined and left, for members and for owners of collections that the team reads.
create table team_changes (
    team_id    blob not null references teams (id) on delete cascade,
    user_id    blob not null references users (id) on delete cascade,
    -- 'joined' or 'left'.
    change     text not null,
    changed_at integer not null,
    primary key (team_id, user_id, changed_at)
) strict, without rowid;

create table collections (
    id         blob primary key not null,
    kind       text not null,
    name       text not null,
    owner      blob not null references users (id),
    created_at integer not null,
    unique (owner, kind, name)
) strict;

-- Collections that their owner opened to a team: its members read the documents, and what was drawn from them.
create table collection_teams (
    collection_id blob primary key not null references collections (id) on delete cascade,
    -- Without the team only the owner reads it.
    team_id       blob not null references teams (id) on delete cascade
) strict, without rowid;
create index collection_teams_by_team on collection_teams (team_id);
