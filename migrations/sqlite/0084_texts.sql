-- A text is also what a charset and an address made of the bytes, as the mail or server stated them. So the same bytes may have several
-- texts, and what one person stored says nothing of what another may store: the hash of the text becomes part of its key.
alter table texts rename to old_texts;
create table texts (
    sha256      text not null references blobs (sha256),
    extractor   text not null,
    text_sha256 text not null,
    body        text not null,
    primary key (sha256, extractor, text_sha256)
) strict;
insert into texts select sha256, extractor, text_sha256, body from old_texts;

-- A foreign key cannot be altered, and documents have too much that refers to them to be copied: their definition changes, not their rows.
pragma writable_schema = on;
update sqlite_schema set sql = replace(
    sql, 'foreign key (sha256, extractor) references "old_texts" (sha256, extractor)',
    'foreign key (sha256, extractor, text_sha256) references texts (sha256, extractor, text_sha256)')
where type = 'table' and name = 'documents';
pragma writable_schema = reset;
drop table old_texts;
