-- The field's terms: the document that an injection attempt came from, and the finding.
drop index tool_calls_by_lure;
alter table tool_calls rename column lured_by to injection_document;
alter table tool_calls rename column lure to injection;
create index tool_calls_by_injection on tool_calls (injection_document) where injection_document is not null;
