-- Rows as years of use leave them: so many that a list of a hundred ids, as which every list counts, is better looked up than read past.
-- COLLECTION and OWNER stand for ids.
create function pg_temp.made(kind int, n int) returns uuid language sql immutable
    as $$ select ('00000000-0000-' || lpad(to_hex(kind), 4, '0') || '-0000-' || lpad(to_hex(n), 12, '0'))::uuid $$;

insert into blobs select 'hash' || n, '\x00' from generate_series(1, 5000) n;
insert into texts select 'hash' || n, 'plain-1', 'text' || n, 'the ferry ' || n from generate_series(1, 5000) n;
insert into documents (id, collection_id, path, title, media_type, sha256, size_bytes, text_sha256, text_bytes, extractor, captured_at, search)
    select pg_temp.made(1, n), 'COLLECTION', 'path' || n, 'title', 'text/plain', 'hash' || n, 1, 'text' || n, 1, 'plain-1', now(),
           to_tsvector('simple', case when n % 500 = 0 then 'ferry ' else '' end || n) from generate_series(1, 5000) n;
insert into investigations (id, owner, collection_id, question, kind, started_by, scope, status, cycle, empty_sessions, failed_cycles,
                            final_session, traceparent, created_at, completed_at)
    select pg_temp.made(2, n), 'OWNER', 'COLLECTION', 'why?', 'intelligence', 'prompt', '[]',
           case when n % 1000 = 0 then 'suspended' else 'completed' end, 1, 0, 0, false, '', now() - n * interval '1 hour', now()
    from generate_series(1, 40000) n;
insert into investigation_scopes select pg_temp.made(2, n), 'COLLECTION' from generate_series(1, 40000) n;
insert into work_orders (id, investigation_id, session_id, cycle, objective, objective_key, referenced_entities, source_guidance, priority,
                         status, traceparent, created_at)
    select pg_temp.made(3, n), pg_temp.made(2, 1 + n % 5000), pg_temp.made(4, n), 1, 'find', 'key' || n, '[]', '[]', 1,
           case when n % 2000 = 0 then 'queued' else 'completed' end, '', now() from generate_series(1, 10000) n;
insert into events select pg_temp.made(2, 1 + n % 5000), n, now(), '{}' from generate_series(1, 20000) n;
insert into contents select 'hash' || n, '\x00' from generate_series(1, 5000) n;
insert into agent_sessions (id, investigation_id, role, cycle, provider, model, prompt_hash, status, turns, tokens_in, tokens_out, started_at)
    select pg_temp.made(4, n), pg_temp.made(2, 1 + n % 5000), 'analyst', 1, 'p', 'm', '', 'completed', 1, 1, 1, now()
    from generate_series(1, 10000) n;
insert into session_steps select pg_temp.made(4, 1 + n % 10000), n, now(), 'hash' || (1 + n % 5000) from generate_series(1, 20000) n;
insert into tool_calls
    select pg_temp.made(5, n), pg_temp.made(4, 1 + n % 10000), pg_temp.made(2, 1 + n % 5000), 'find', '{}', 'hash' || (1 + n % 5000),
           false, false, 0, 0, 0, 0, now() from generate_series(1, 20000) n;
insert into model_calls (id, investigation_id, session_id, role, step, attempt, provider, model, outcome, called_at, reserved_tokens,
                         reserved_micros, levels)
    select pg_temp.made(6, n), pg_temp.made(2, 1 + n % 5000), pg_temp.made(4, 1 + n % 10000), 'analyst', 1, 1, 'p', 'm', 'answered',
           now(), 0, 0, '[]' from generate_series(1, 20000) n;
insert into web_sessions (id_hash, device, data, started_at, used_at, expires_at)
    select 'session' || n, '', '{}', now(), now(), now() from generate_series(1, 5000) n;
