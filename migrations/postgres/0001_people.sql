-- People: accounts with sign-in, teams, and collections with their readers.

-- Lists of ids and words are bound as one JSON text on both databases. These functions carry the names of SQLite's own (json_each over an
-- array, unhex of an id), so that one text of a statement serves both.
create function json_each(list text) returns table (value text)
    language sql immutable parallel safe
    as $$ select jsonb_array_elements_text(list::jsonb) $$;
create function unhex(id text) returns uuid
    language sql immutable parallel safe
    as $$ select id::uuid $$;

-- Text as full text indexes it: without diacritics, and without the signs that would make one word of a file name or an address.
create function search_fold(body text) returns text
    language sql immutable parallel safe
    as $$ select regexp_replace(regexp_replace(normalize(body, NFD), '[\u0300-\u036f]+', '', 'g'), '[!-/:-@\[-`{-~]+', ' ', 'g') $$;

-- Accounts. Null in a boolean column means false.
create table users (
    id              uuid primary key,
    name            text not null,
    name_key        text not null unique,
    role            text not null,
    -- A PHC string; null: cannot sign in.
    password_hash   text,
    -- Cannot sign in, and is signed out.
    disabled        boolean not null default false,
    created_at      timestamptz not null,
    -- Caps of the account per day; null: as configured. Money in millionths of the configured currency.
    cap_tokens      bigint,
    cap_micros      bigint,
    -- The password was set by an administrator: the next sign-in asks for another.
    must_change     boolean,
    -- Preferences: single-key shortcuts off, the sample hidden.
    shortcuts_off   boolean,
    sample_hidden   boolean,
    -- Last time on the home page, and end of the visit before.
    seen_at         timestamptz,
    seen_before     timestamptz,
    -- First steps: the sample was opened, the set-up list was dismissed.
    sample_seen     boolean,
    setup_dismissed boolean
);

-- Browser sessions by the hash of their id.
create table web_sessions (
    id_hash    text primary key,
    user_id    uuid references users (id) on delete cascade,
    device     text not null,
    data       text not null,
    started_at timestamptz not null,
    used_at    timestamptz not null,
    expires_at timestamptz not null
);
create index web_sessions_by_expiry on web_sessions (expires_at);
create index web_sessions_by_user on web_sessions (user_id);

-- Browsers in which a person has signed in, by the hash of the token in their cookie.
create table devices (
    token_hash text primary key,
    user_id    uuid not null references users (id) on delete cascade,
    used_at    timestamptz not null
);
create index devices_by_user on devices (user_id, used_at);

-- One-time codes for the first account, one for each process that serves pages.
create table setup_codes (
    code_hash text primary key,
    made_at   timestamptz not null
);

create table audit_log (
    sequence bigint generated always as identity primary key,
    at       timestamptz not null,
    user_id  uuid,
    act      text not null,
    object   text not null,
    -- Network address of the request; null for the command line.
    address  text
);
create index audit_log_by_time on audit_log (at);

-- Bytes that a person has uploaded on their last day with an upload. Days are counted from 1970-01-01, in UTC.
create table upload_days (
    user_id uuid primary key references users (id) on delete cascade,
    day     bigint not null,
    bytes   bigint not null
);

-- Teams: groups of people to whom reports and collections are shown. They own no documents.
create table teams (
    id         uuid primary key,
    name       text not null,
    name_key   text not null unique,
    created_by uuid not null references users (id),
    created_at timestamptz not null
);

create table team_members (
    team_id uuid not null references teams (id) on delete cascade,
    user_id uuid not null references users (id) on delete cascade,
    primary key (team_id, user_id)
);
create index team_members_by_user on team_members (user_id);

-- Invitations, which the invited accept or decline.
create table team_invitations (
    team_id    uuid not null references teams (id) on delete cascade,
    user_id    uuid not null references users (id) on delete cascade,
    invited_by uuid not null references users (id),
    invited_at timestamptz not null,
    primary key (team_id, user_id)
);
create index team_invitations_by_user on team_invitations (user_id);

-- A record of members who joined and left, for members and for owners of collections that the team reads.
create table team_changes (
    team_id    uuid not null references teams (id) on delete cascade,
    user_id    uuid not null references users (id) on delete cascade,
    -- 'joined' or 'left'.
    change     text not null,
    changed_at timestamptz not null,
    primary key (team_id, user_id, changed_at)
);

create table collections (
    id         uuid primary key,
    kind       text not null,
    name       text not null,
    owner      uuid not null references users (id),
    created_at timestamptz not null,
    unique (owner, kind, name)
);

-- Collections that their owner opened to a team: its members read the documents, and what was drawn from them.
create table collection_teams (
    collection_id uuid primary key references collections (id) on delete cascade,
    -- Without the team only the owner reads it.
    team_id       uuid not null references teams (id) on delete cascade
);
create index collection_teams_by_team on collection_teams (team_id);
