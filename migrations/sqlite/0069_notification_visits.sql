-- Last look of a person at their notifications. What happened before this migration is no news.

create table notification_visits (
    user_id blob primary key not null references users (id) on delete cascade,
    seen_at integer not null
) strict, without rowid;
insert into notification_visits (user_id, seen_at) select id, unixepoch() * 1000000 from users;
create index investigations_by_end on investigations (owner, completed_at);
