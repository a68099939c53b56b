-- Last look of a person at their notifications. What happened before this migration is no news.

create table notification_visits (
    user_id uuid primary key references users (id) on delete cascade,
    seen_at timestamptz not null
);
insert into notification_visits (user_id, seen_at) select id, now() from users;
create index investigations_by_end on investigations (owner, completed_at);
