-- Lease of the run that carries out an order: another one changes nothing of it.
alter table cycle_orders add column holder uuid;
-- Title and statement in small letters, as this program folds them; null in rows of an older version.
alter table tensions add column search_text text;
