-- Models that an administrator chose in the app, by role; an investigation takes them along when it starts (JSON; null: as configured).

create table model_choices (
    role  text primary key,
    model text not null
) strict;

alter table investigations add column models text;
