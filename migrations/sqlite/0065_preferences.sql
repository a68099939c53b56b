-- Preferences of an account: single keys off, the sample hidden. Null means as shipped.

alter table users add column shortcuts_off integer;
alter table users add column sample_hidden integer;
