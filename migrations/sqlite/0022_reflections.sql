-- What a tool result was worth, as it was judged once for each call, and what the call asked. Null where nothing was to be judged.

alter table tool_calls add column source text;
alter table tool_calls add column quality text;
alter table tool_calls add column is_verified integer;
alter table tool_calls add column reflection text;
create index tool_calls_by_time on tool_calls (called_at);
