-- Tensions that the model named that read a document, as JSON. They are the origin "extracted" of tensions.
create table extracted_tensions (
    document_id uuid not null references documents (id) on delete cascade,
    -- SHA-256 of the item.
    item_hash   text not null,
    item        text not null,
    primary key (document_id, item_hash)
);
