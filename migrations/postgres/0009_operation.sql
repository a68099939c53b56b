-- State of the operation: circuits, stored keys, imports.

-- Circuits of dependencies.
create table circuit_states (
    dependency   text primary key,
    state        text not null,
    failures     bigint not null,
    reason       text,
    opened_at    timestamptz,
    retry_at     timestamptz,
    prober       uuid,
    probe_until  timestamptz,
    -- Grows by one with each change; a change that was made from an older one is refused.
    version      bigint not null,
    -- Only a person can make it work again: a key, the name of a model.
    needs_person boolean not null default false
);

-- Keys that an administrator stored, sealed by a master key that is not in the database.
create table secrets (
    name   text primary key,
    -- Nonce, then ciphertext; the name is bound to it.
    sealed bytea not null
);

-- Import state: whether this store is being filled, or was, from an archive or another store. An incomplete store is not used.
create table arrivals (
    source   text primary key,
    began_at timestamptz not null,
    -- Null: the import is incomplete.
    ended_at timestamptz
);
