-- SHA-256 of the question in view of which alone the document was read. Null: it was read in full.
alter table extractions add column in_view_of text;
