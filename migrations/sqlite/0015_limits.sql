-- Circuits of what is depended on, and the ledger of what models use.

create table circuit_states (
    dependency  text primary key not null,
    state       text not null,
    failures    integer not null,
    reason      text,
    opened_at   integer,
    retry_at    integer,
    prober      blob,
    probe_until integer,
    -- Grows by one with each change; a change that was made from an older one is refused.
    version     integer not null
) strict, without rowid;

create table model_calls (
    id               blob primary key not null,
    investigation_id blob not null references investigations (id) on delete cascade,
    session_id       blob not null references agent_sessions (id) on delete cascade,
    role             text not null,
    step             integer not null,
    attempt          integer not null,
    provider         text not null,
    model            text not null,
    outcome          text not null,
    message          text,
    tokens_in        integer not null default 0,
    tokens_out       integer not null default 0,
    cache_read       integer not null default 0,
    cache_written    integer not null default 0,
    -- Millionths of the configured currency.
    cost_micros      integer not null default 0,
    latency_ms       integer not null default 0,
    called_at        integer not null,
    -- What is reserved for it until it is settled, or until this moment; and the keys of its levels, as a JSON list.
    reserved_tokens  integer not null,
    reserved_micros  integer not null,
    reserved_until   integer,
    levels           text not null
) strict;
create index model_calls_by_session on model_calls (session_id, called_at);
create index model_calls_by_investigation on model_calls (investigation_id, called_at);
create index model_calls_reserved on model_calls (reserved_until) where reserved_until is not null;

-- Spent and reserved on each level; what the caps are compared with. Outlives the investigations.
create table budget_levels (
    level  text not null,
    key    text not null,
    tokens integer not null,
    micros integer not null,
    primary key (level, key)
) strict, without rowid;

-- Attempts that do not count: something that the order needs was down.
alter table work_orders add column returned integer not null default 0;
-- Why it ended empty or failed.
alter table agent_sessions add column reason text;
