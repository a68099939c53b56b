-- Investigations whose report their owner made visible to others, with the quotes in it. The others have no row.

create table investigation_visibility (
    investigation_id uuid primary key not null references investigations (id) on delete cascade,
    -- Null: everybody with an account. A removed team leaves the report private.
    team_id          uuid references teams (id) on delete cascade
);
create index investigation_visibility_by_team on investigation_visibility (team_id);
