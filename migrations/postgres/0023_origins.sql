-- What texts are compared by, to find those that repeat one another: a sketch of each, and the bands that near ones share.

create table text_sketches (
    id          bigint generated always as identity primary key,
    text_sha256 text collate "C" not null unique,
    -- Null where the text is too short to be compared.
    sketch      bytea
);

create table text_bands (
    band      bigint not null,
    sketch_id bigint not null references text_sketches (id) on delete cascade,
    primary key (band, sketch_id)
);
create index text_bands_by_sketch on text_bands (sketch_id);
