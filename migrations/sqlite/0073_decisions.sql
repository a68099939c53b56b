-- Who decided about merges and reviews, and when; null for decisions of before.
alter table merges add column decided_by blob;
alter table reviews add column decided_by blob;
alter table reviews add column decided_at integer;
