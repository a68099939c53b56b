-- How exactly the place of a response is known; null where none is named.
alter table responses add column geo_precision text;
update responses set geo_precision = 'region' where region <> '000';
