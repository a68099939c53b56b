-- SHA-256 of the question in view of which alone the document was read. Null: it was read in full.
alter table extractions add column in_view_of text;

-- Findings of the citation watch, by time.
create index citation_watch_by_finding on citation_watch (found_at) where finding is not null;
