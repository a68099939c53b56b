-- What an investigation waits for, as its agents reported it, and since when nothing was done.
alter table investigations add column obstacles jsonb;
alter table investigations add column stalled_since timestamptz;
update investigations set stalled_since = suspended_at;
