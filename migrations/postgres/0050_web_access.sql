-- The addresses that a person gave with the question (null: none), and whether its agents may use the web (null: on).
alter table investigations add column addresses jsonb;
alter table investigations add column web text;

-- Addresses that a source listed in an investigation or one of its parts: work orders may name them.
create table investigation_addresses (
    investigation_id uuid not null references investigations (id) on delete cascade,
    address          text not null,
    primary key (investigation_id, address)
);
