-- What a person has done of the first steps, and which models passed a connection test.
alter table users add column sample_seen boolean;
alter table users add column setup_dismissed boolean;
create table model_trials (
    model     text not null primary key,
    tried_at  timestamptz not null,
    is_usable boolean not null
);
