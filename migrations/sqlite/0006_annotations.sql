-- Annotations of readers on assessments and documents.

-- Excluded evidence of an assessment.
create table exclusions (
    assessment_id blob not null references assessments (id) on delete cascade,
    -- Number of the citation.
    marker        integer not null,
    reason        text not null,
    excluded_by   blob not null,
    excluded_at   integer not null,
    primary key (assessment_id, marker)
) strict, without rowid;

-- Contested ratings of an assessment.
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

create table assessment_tags (
    assessment_id blob not null references assessments (id) on delete cascade,
    -- In lower case.
    tag           text not null,
    tagged_by     blob not null,
    tagged_at     integer not null,
    primary key (assessment_id, tag)
) strict, without rowid;
create index assessment_tags_by_tag on assessment_tags (tag);

create table assessment_notes (
    id            blob primary key not null,
    assessment_id blob not null references assessments (id) on delete cascade,
    text          text not null,
    noted_by      blob not null,
    noted_at      integer not null
) strict, without rowid;
create index assessment_notes_by_assessment on assessment_notes (assessment_id, noted_at);

create table document_tags (
    document_id blob not null references documents (id) on delete cascade,
    -- In lower case.
    tag         text not null,
    tagged_by   blob not null,
    tagged_at   integer not null,
    primary key (document_id, tag)
) strict, without rowid;
create index document_tags_by_tag on document_tags (tag);

create table document_notes (
    id          blob primary key not null,
    document_id blob not null references documents (id) on delete cascade,
    text        text not null,
    noted_by    blob not null,
    noted_at    integer not null
) strict, without rowid;
create index document_notes_by_document on document_notes (document_id, noted_at);
