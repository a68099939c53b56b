-- Annotations of people on assessments: excluded evidence, and contested ratings.

create table exclusions (
    assessment_id uuid not null references assessments (id) on delete cascade,
    -- Number of the citation.
    marker        bigint not null,
    reason        text not null,
    excluded_by   uuid not null,
    excluded_at   timestamptz not null,
    primary key (assessment_id, marker)
);

create table contests (
    id            uuid primary key,
    assessment_id uuid not null references assessments (id) on delete cascade,
    -- Judgement (J1), hypothesis (H2), or the source of a citation (c8).
    item          text not null,
    -- Whole percent, or low, moderate, high.
    value         text not null,
    reason        text not null,
    contested_by  uuid not null,
    contested_at  timestamptz not null
);
create index contests_by_assessment on contests (assessment_id);
