-- Tags and notes of readers on assessments.

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
