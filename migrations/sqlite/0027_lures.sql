-- Where a call was refused as outside the order: the document whose words it repeats, and what of it.
alter table tool_calls add column lured_by blob;
alter table tool_calls add column lure text;
create index tool_calls_by_lure on tool_calls (lured_by) where lured_by is not null;
