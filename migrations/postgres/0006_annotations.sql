-- Annotations of readers on assessments and documents.

-- Excluded evidence of an assessment.
create table exclusions (
    assessment_id uuid not null references assessments (id) on delete cascade,
    -- Number of the citation.
    marker        bigint not null,
    reason        text not null,
    excluded_by   uuid not null,
    excluded_at   timestamptz not null,
    primary key (assessment_id, marker)
);

-- Contested ratings of an assessment.
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

create table assessment_tags (
    assessment_id uuid not null references assessments (id) on delete cascade,
    -- In lower case.
    tag           text not null,
    tagged_by     uuid not null,
    tagged_at     timestamptz not null,
    primary key (assessment_id, tag)
);
create index assessment_tags_by_tag on assessment_tags (tag);

create table assessment_notes (
    id            uuid primary key,
    assessment_id uuid not null references assessments (id) on delete cascade,
    text          text not null,
    noted_by      uuid not null,
    noted_at      timestamptz not null
);
create index assessment_notes_by_assessment on assessment_notes (assessment_id, noted_at);

create table document_tags (
    document_id uuid not null references documents (id) on delete cascade,
    -- In lower case.
    tag         text not null,
    tagged_by   uuid not null,
    tagged_at   timestamptz not null,
    primary key (document_id, tag)
);
create index document_tags_by_tag on document_tags (tag);

create table document_notes (
    id          uuid primary key,
    document_id uuid not null references documents (id) on delete cascade,
    text        text not null,
    noted_by    uuid not null,
    noted_at    timestamptz not null
);
create index document_notes_by_document on document_notes (document_id, noted_at);
