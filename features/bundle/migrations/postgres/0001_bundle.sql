-- Bundle: the key with which this installation signs.

-- One row. The key is the encrypted secret of its id.
create table bundle_key (
    -- Always main.
    name   text primary key,
    key_id uuid not null
);
