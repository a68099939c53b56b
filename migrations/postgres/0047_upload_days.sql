-- Bytes that a person has uploaded on the last day on which they uploaded anything. Days are counted from 1970-01-01, in UTC.
create table upload_days (
    user_id uuid primary key references users (id) on delete cascade,
    day     bigint not null,
    bytes   bigint not null
);
