-- A text is also what a charset and an address made of the bytes, as the mail or server stated them. So the same bytes may have several
-- texts, and what one person stored says nothing of what another may store: the hash of the text becomes part of its key.
alter table documents drop constraint documents_sha256_extractor_fkey;
alter table texts drop constraint texts_pkey;
alter table texts add primary key (sha256, extractor, text_sha256);
alter table documents add foreign key (sha256, extractor, text_sha256) references texts (sha256, extractor, text_sha256);
