-- What a person has done of the first steps, and which models passed a connection test.
alter table users add column sample_seen integer;
alter table users add column setup_dismissed integer;
create table model_trials (
    model     text not null primary key,
    tried_at  integer not null,
    is_usable integer not null
) strict, without rowid;
