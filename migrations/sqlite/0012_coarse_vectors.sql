-- Coarse vectors, one bit per dimension, of 512 rows of a text's table in one row here: a large graph is gone through in a few
-- reads. Vectors can be made again, and are: whatever an earlier version made goes.
create table coarse_vectors (
    slot        integer not null references vector_models (slot) on delete cascade,
    -- Rows 512 * chunk to 512 * chunk + 511.
    chunk       integer not null,
    -- How many of them have a vector.
    present     integer not null,
    bits        blob not null,
    -- Of each row four bytes: 0 no vector, the collection that has the text, or all ones where several may have it.
    collections blob not null,
    unique (slot, chunk)
) strict;

delete from vector_models;
drop table if exists vectors_1;
drop table if exists vectors_2;
drop table if exists vectors_3;
drop table if exists vectors_4;
drop table if exists vectors_5;
drop table if exists vectors_6;
drop table if exists coarse_1;
drop table if exists coarse_2;
drop table if exists coarse_3;
drop table if exists coarse_4;
drop table if exists coarse_5;
drop table if exists coarse_6;
