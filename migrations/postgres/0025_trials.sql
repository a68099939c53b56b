-- What is reserved for calls of models that are recorded in no session, those of trials: released when nobody has settled it in time.

create table trials (
    id              uuid primary key,
    reserved_tokens bigint not null,
    reserved_micros bigint not null,
    -- Until it is settled, or until this moment; and the keys of its levels, as a JSON list.
    reserved_until  timestamptz not null,
    levels          jsonb not null
);
create index trials_reserved on trials (reserved_until);
