-- Terms of an investigation: collections chosen how, period of publication, depth (null: the whole library, any time, standard).

alter table investigations add column terms jsonb;
