-- Facts that a document states beside its text: authors, last change and tables. Nothing is stored for one without any.

create table document_details (
    document_id       blob primary key not null references documents (id) on delete cascade,
    byline            text,
    updated_value     integer,
    updated_precision text,
    updated_basis     text,
    -- JSON: captions and rows of cells.
    tables            text not null
) strict;
