-- The result of a tool call as the tool gave it, where the agent read something else: normalised, cut or left out.
alter table tool_calls add column raw text references contents (sha256);
create index tool_calls_by_raw on tool_calls (raw) where raw is not null;
