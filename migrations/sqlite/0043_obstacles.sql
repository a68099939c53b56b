-- What an investigation waits for, as its agents reported it, and since when nothing was done.
alter table investigations add column obstacles text;
alter table investigations add column stalled_since integer;
update investigations set stalled_since = suspended_at;
