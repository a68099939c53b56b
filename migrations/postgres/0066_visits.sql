-- Visits of an account: last time on the home page, and the end of the visit before.

alter table users add column seen_at timestamptz;
alter table users add column seen_before timestamptz;
