-- When what a claim states happened, first to last moment; how long a relationship held, as a day, a month or a year; and the oldest
-- evidence of a fact, by which one of two names stays.

alter table claims add column occurred_from integer;
alter table claims add column occurred_to integer;
alter table claims add column occurred_precision text;
create index claims_by_occurrence on claims (collection, occurred_from) where occurred_from is not null;

alter table relationship_views add column since text;
alter table relationship_views add column until text;

alter table entity_facts add column oldest integer;
update entity_facts set oldest = (
    select min(c.published_value) from fact_claims x join claims c on c.n = x.claim where x.fact = entity_facts.n
);

drop trigger fact_claims_count;
create trigger fact_claims_count after insert on fact_claims begin
    update entity_facts
    set claims = entity_facts.claims + 1,
        newest = case when c.published_value is null then newest else max(coalesce(newest, c.published_value), c.published_value) end,
        oldest = case when c.published_value is null then oldest else min(coalesce(oldest, c.published_value), c.published_value) end,
        at = max(at, c.ingested_at)
    from claims c
    where c.n = new.claim and entity_facts.n = new.fact;
end;
