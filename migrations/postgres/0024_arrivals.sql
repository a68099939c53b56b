-- That this store is being filled from an archive or from another store, or was: nobody works on half of one.

create table arrivals (
    source   text primary key,
    began_at timestamptz not null,
    -- Null: it is not all there.
    ended_at timestamptz
);
