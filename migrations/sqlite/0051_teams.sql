-- Teams: groups of people to whom reports are shown. They own no documents.

create table teams (
    id         blob primary key not null,
    name       text not null,
    name_key   text not null unique,
    created_by blob not null references users (id),
    created_at integer not null
) strict;

create table team_members (
    team_id blob not null references teams (id) on delete cascade,
    user_id blob not null references users (id) on delete cascade,
    primary key (team_id, user_id)
) strict, without rowid;
create index team_members_by_user on team_members (user_id);
