-- What is reserved for calls of models that are recorded in no session, those of trials: released when nobody has settled it in time.

create table trials (
    id              blob primary key not null,
    reserved_tokens integer not null,
    reserved_micros integer not null,
    -- Until it is settled, or until this moment; and the keys of its levels, as a JSON list.
    reserved_until  integer not null,
    levels          text not null
) strict, without rowid;
create index trials_reserved on trials (reserved_until);
