-- Reviews whose decision somebody put off; they are listed last.
alter table reviews add column postponed_at integer;
