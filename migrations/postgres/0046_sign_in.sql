-- Sign-in: sessions by the hash of their id, known devices, set-up codes, passwords to be changed, addresses in the audit log.

-- Set by an administrator: its owner chooses another at the next sign-in.
alter table users add column must_change boolean;

-- The network address of the request; null for the command line.
alter table audit_log add column address text;
create index audit_log_by_time on audit_log (at);

-- Earlier sessions were stored under their plain ids: everybody signs in again.
drop table web_sessions;
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

-- One-time codes for the first account, of each process that serves pages.
create table setup_codes (
    code_hash text primary key,
    made_at   timestamptz not null
);
