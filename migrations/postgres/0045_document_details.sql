-- Facts that a document states beside its text: authors, last change and tables. Nothing is stored for one without any.

create table document_details (
    document_id       uuid primary key references documents (id) on delete cascade,
    byline            text,
    updated_value     timestamptz,
    updated_precision text,
    updated_basis     text,
    -- Captions and rows of cells.
    tables            jsonb not null
);
