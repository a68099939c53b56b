-- The record of agent sessions. Bodies are kept once by content hash.

create table contents (
    sha256 text primary key not null,
    body   blob not null
) strict;

create table agent_sessions (
    id               blob primary key not null,
    investigation_id blob references investigations (id) on delete cascade,
    work_order_id    blob,
    role             text not null,
    cycle            integer not null,
    provider         text not null,
    model            text not null,
    prompt_hash      text not null,
    status           text not null,
    turns            integer not null,
    tokens_in        integer not null,
    tokens_out       integer not null,
    started_at       integer not null,
    ended_at         integer,
    -- Prompts, tools and limits of the session.
    setup            text references contents (sha256),
    -- Why it ended empty or failed.
    reason           text,
    -- The object of a feature that it works for, instead of an investigation.
    owner_kind       text,
    owner_id         blob
) strict;
create index agent_sessions_by_investigation on agent_sessions (investigation_id, started_at);
create index agent_sessions_by_order on agent_sessions (work_order_id) where work_order_id is not null;
create index agent_sessions_by_owner on agent_sessions (owner_id) where owner_id is not null;
create index agent_sessions_by_setup on agent_sessions (setup);

create table session_steps (
    session_id blob not null references agent_sessions (id) on delete cascade,
    number     integer not null,
    at         integer not null,
    input      text not null references contents (sha256),
    primary key (session_id, number)
) strict, without rowid;
create index session_steps_by_input on session_steps (input);

-- Addresses that a session may open: named by a source in it, or a link of a page that it opened, so many links away.
create table session_addresses (
    session_id blob not null references agent_sessions (id) on delete cascade,
    address    text not null,
    steps      integer not null,
    primary key (session_id, address)
) strict, without rowid;

create table tool_calls (
    id                 blob primary key not null,
    session_id         blob not null references agent_sessions (id) on delete cascade,
    investigation_id   blob,
    tool               text not null,
    arguments          text not null,
    result             text not null references contents (sha256),
    is_error           integer not null,
    from_cache         integer not null,
    cache_ms           integer not null,
    tool_ms            integer not null,
    reflection_ms      integer not null,
    total_ms           integer not null,
    called_at          integer not null,
    -- The source that the call asked, and the one judgement of its result; null where there was nothing to judge.
    source             text,
    quality            text,
    is_verified        integer,
    reflection         text,
    -- Of a call that was refused as outside its work order: the document that an injection attempt came from, and the finding.
    injection_document blob,
    injection          text,
    -- The result as the tool gave it, where the agent read it normalised, cut, or not at all.
    raw                text references contents (sha256)
) strict;
create index tool_calls_by_session on tool_calls (session_id, called_at);
create index tool_calls_by_result on tool_calls (result);
create index tool_calls_by_time on tool_calls (called_at);
create index tool_calls_by_injection on tool_calls (injection_document) where injection_document is not null;
create index tool_calls_by_raw on tool_calls (raw) where raw is not null;

create table tool_cache (
    key        text primary key not null,
    result     text not null references contents (sha256),
    expires_at integer not null
) strict;
create index tool_cache_by_result on tool_cache (result);
create index tool_cache_by_expiry on tool_cache (expires_at);
