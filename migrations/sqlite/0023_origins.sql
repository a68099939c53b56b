-- What texts are compared by, to find those that repeat one another: a sketch of each, and the bands that near ones share.

create table text_sketches (
    id          integer primary key,
    text_sha256 text not null unique,
    -- Null where the text is too short to be compared.
    sketch      blob
) strict;

create table text_bands (
    band      integer not null,
    sketch_id integer not null references text_sketches (id) on delete cascade,
    primary key (band, sketch_id)
) strict, without rowid;
create index text_bands_by_sketch on text_bands (sketch_id);
