-- Language models: the choices of administrators, and the ledger of calls with their tokens and costs.

-- Models that an administrator chose in the app, by role.
create table model_choices (
    role  text primary key,
    model text not null
);

-- The last connection test of each model.
create table model_trials (
    model     text not null primary key,
    tried_at  timestamptz not null,
    is_usable boolean not null
);

create table model_calls (
    id               uuid primary key,
    investigation_id uuid references investigations (id) on delete cascade,
    session_id       uuid not null references agent_sessions (id) on delete cascade,
    role             text not null,
    step             bigint not null,
    attempt          bigint not null,
    provider         text not null,
    model            text not null,
    outcome          text not null,
    message          text,
    tokens_in        bigint not null default 0,
    tokens_out       bigint not null default 0,
    cache_read       bigint not null default 0,
    cache_written    bigint not null default 0,
    -- Millionths of the configured currency.
    cost_micros      bigint not null default 0,
    latency_ms       bigint not null default 0,
    called_at        timestamptz not null,
    -- The reservation until the call is settled, or until this time; and the keys of its levels, as a JSON list.
    reserved_tokens  bigint not null,
    reserved_micros  bigint not null,
    reserved_until   timestamptz,
    levels           jsonb not null
);
create index model_calls_by_session on model_calls (session_id, called_at);
create index model_calls_by_investigation on model_calls (investigation_id, called_at);
create index model_calls_reserved on model_calls (reserved_until) where reserved_until is not null;

-- Reservations of trial calls, which no session records. They end at this time where the call was not settled.
create table trials (
    id              uuid primary key,
    reserved_tokens bigint not null,
    reserved_micros bigint not null,
    reserved_until  timestamptz not null,
    -- The keys of its levels, as a JSON list.
    levels          jsonb not null
);
create index trials_reserved on trials (reserved_until);

-- Spent and reserved on each level, which the caps are compared with. Outlives the investigations.
create table budget_levels (
    level  text not null,
    key    text not null,
    tokens bigint not null,
    micros bigint not null,
    primary key (level, key)
);
