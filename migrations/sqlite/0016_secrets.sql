-- Keys that an administrator stored, sealed by a master key that is not in the database.

create table secrets (
    name   text primary key not null,
    -- Nonce, then ciphertext; the name is bound to it.
    sealed blob not null
) strict, without rowid;
