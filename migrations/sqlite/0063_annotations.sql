-- Annotations of people on assessments: excluded evidence, and contested ratings.

create table exclusions (
    assessment_id blob not null references assessments (id) on delete cascade,
    -- Number of the citation.
    marker        integer not null,
    reason        text not null,
    excluded_by   blob not null,
    excluded_at   integer not null,
    primary key (assessment_id, marker)
) strict, without rowid;

create table contests (
    id            blob primary key not null,
    assessment_id blob not null references assessments (id) on delete cascade,
    -- Judgement (J1), hypothesis (H2), or the source of a citation (c8).
    item          text not null,
    -- Whole percent, or low, moderate, high.
    value         text not null,
    reason        text not null,
    contested_by  blob not null,
    contested_at  integer not null
) strict, without rowid;
create index contests_by_assessment on contests (assessment_id);
