-- How a session was set up: prompts, tools, limits. Kept once by content hash; null for sessions from before.

alter table agent_sessions add column setup text references contents (sha256);
create index agent_sessions_by_setup on agent_sessions (setup);
