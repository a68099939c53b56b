-- State of the operation: circuits, stored keys, imports.

-- Circuits of dependencies.
create table circuit_states (
    dependency   text primary key not null,
    state        text not null,
    failures     integer not null,
    reason       text,
    opened_at    integer,
    retry_at     integer,
    prober       blob,
    probe_until  integer,
    -- Grows by one with each change; a change that was made from an older one is refused.
    version      integer not null,
    -- Only a person can make it work again: a key, the name of a model.
    needs_person integer not null default 0
) strict, without rowid;

-- Keys that an administrator stored, sealed by a master key that is not in the database.
create table secrets (
    name   text primary key not null,
    -- Nonce, then ciphertext; the name is bound to it.
    sealed blob not null
) strict, without rowid;

-- Import state: whether this store is being filled, or was, from an archive or another store. An incomplete store is not used.
create table arrivals (
    source   text primary key not null,
    began_at integer not null,
    -- Null: the import is incomplete.
    ended_at integer
) strict, without rowid;
