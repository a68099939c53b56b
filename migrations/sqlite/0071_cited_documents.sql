-- The documents that an assessment cites, for `Cited in` on their pages.

create table assessment_documents (
    assessment_id blob not null references assessments (id) on delete cascade,
    -- Of a document that may be gone.
    document_id   blob not null,
    primary key (assessment_id, document_id)
) strict, without rowid;
create index assessment_documents_by_document on assessment_documents (document_id);

insert into assessment_documents (assessment_id, document_id)
select distinct a.id, unhex(replace(c.value ->> 'document_id', '-', ''))
from assessments a, json_each(a.body, '$.citations') c;
