-- What each claim states of a relationship, so that the values of a view can be combined again when some of its claims go. Of older
-- evidence only the combined values are known.
alter table relationship_claims add column weight real;
alter table relationship_claims add column confidence real;
alter table relationship_claims add column bidirectional integer;
alter table relationship_claims add column timestamp integer;
alter table relationship_claims add column since text;
alter table relationship_claims add column until text;
update relationship_claims set (weight, confidence, bidirectional, timestamp, since, until) = (
    select v.weight, v.confidence, v.bidirectional, v.timestamp, v.since, v.until from claims c
    join relationship_views v on v.relationship = relationship_claims.relationship and v.collection = c.collection
    where c.n = relationship_claims.claim
);
