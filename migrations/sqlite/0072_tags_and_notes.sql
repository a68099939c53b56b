-- Tags and notes of readers on assessments.

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
