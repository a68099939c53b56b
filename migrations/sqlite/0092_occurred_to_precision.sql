-- Precision of the last day, month or year of an event's period, where it is not that of the first.
alter table claims add column occurred_to_precision text;
