-- Score, reason and decision of a pair belong to the two collections that make it probable, so that readers of other collections see
-- none of them. Reasons with words of a document or a judge are blanked: whose words they are was not stored.
create table new_review_views (
    review           integer not null references reviews (n) on delete cascade,
    left_collection  integer not null references graph_collections (n),
    right_collection integer not null references graph_collections (n),
    score            real not null,
    why              text not null,
    -- The document that the reason comes from.
    document         integer,
    created_at       integer not null,
    closed           integer not null,
    postponed_at     integer,
    decided_by       blob,
    decided_at       integer,
    primary key (review, left_collection, right_collection)
) strict, without rowid;
insert into new_review_views
    select v.review, v.left_collection, v.right_collection,
        case when r.why like 'a document says so%' then 0.0 else r.score end,
        case when r.why like 'a document says so%' or r.why like '%; judged %' then '' else r.why end,
        null, r.created_at, r.closed, r.postponed_at, r.decided_by, r.decided_at
    from review_views v join reviews r on r.n = v.review;
drop table review_views;
alter table new_review_views rename to review_views;
create index review_views_by_left on review_views (left_collection);
create index review_views_by_right on review_views (right_collection);
create index review_views_by_document on review_views (document) where document is not null;

alter table reviews drop column score;
alter table reviews drop column why;
alter table reviews drop column created_at;
alter table reviews drop column closed;
alter table reviews drop column postponed_at;
alter table reviews drop column decided_by;
alter table reviews drop column decided_at;
