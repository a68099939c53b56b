-- Circuits of what is depended on, and the ledger of what models use.

create table circuit_states (
    dependency  text primary key,
    state       text not null,
    failures    bigint not null,
    reason      text,
    opened_at   timestamptz,
    retry_at    timestamptz,
    prober      uuid,
    probe_until timestamptz,
    -- Grows by one with each change; a change that was made from an older one is refused.
    version     bigint not null
);

create table model_calls (
    id               uuid primary key,
    investigation_id uuid not null references investigations (id) on delete cascade,
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
    -- What is reserved for it until it is settled, or until this moment; and the keys of its levels, as a JSON list.
    reserved_tokens  bigint not null,
    reserved_micros  bigint not null,
    reserved_until   timestamptz,
    levels           jsonb not null
);
create index model_calls_by_session on model_calls (session_id, called_at);
create index model_calls_by_investigation on model_calls (investigation_id, called_at);
create index model_calls_reserved on model_calls (reserved_until) where reserved_until is not null;

-- Spent and reserved on each level; what the caps are compared with. Outlives the investigations.
create table budget_levels (
    level  text not null,
    key    text not null,
    tokens bigint not null,
    micros bigint not null,
    primary key (level, key)
);

-- Attempts that do not count: something that the order needs was down.
alter table work_orders add column returned bigint not null default 0;
-- Why it ended empty or failed.
alter table agent_sessions add column reason text;
