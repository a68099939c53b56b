-- Collections that their owner opened to a team: its members read the documents, and what was drawn from them.

create table collection_teams (
    collection_id blob primary key not null references collections (id) on delete cascade,
    -- Without the team only the owner reads it.
    team_id       blob not null references teams (id) on delete cascade
) strict, without rowid;
create index collection_teams_by_team on collection_teams (team_id);
