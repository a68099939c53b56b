-- Who answers one question, where it names somebody; null: as configured.
alter table investigations add column model text;
-- What one person may use on one day; null: as configured. Money in millionths of the configured currency.
alter table users add column cap_tokens integer;
alter table users add column cap_micros integer;
