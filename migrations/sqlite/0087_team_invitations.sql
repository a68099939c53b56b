-- Invitations to teams, which the invited accept or decline, and a record of who joined and left, for members and owners of opened
-- collections.

create table team_invitations (
    team_id    blob not null references teams (id) on delete cascade,
    user_id    blob not null references users (id) on delete cascade,
    invited_by blob not null references users (id),
    invited_at integer not null,
    primary key (team_id, user_id)
) strict, without rowid;
create index team_invitations_by_user on team_invitations (user_id);

create table team_changes (
    team_id    blob not null references teams (id) on delete cascade,
    user_id    blob not null references users (id) on delete cascade,
    -- 'joined' or 'left'.
    change     text not null,
    changed_at integer not null,
    primary key (team_id, user_id, changed_at)
) strict, without rowid;
