-- The documents that an assessment cites, for `Cited in` on their pages.

create table assessment_documents (
    assessment_id uuid not null references assessments (id) on delete cascade,
    -- Of a document that may be gone.
    document_id   uuid not null,
    primary key (assessment_id, document_id)
);
create index assessment_documents_by_document on assessment_documents (document_id);

insert into assessment_documents (assessment_id, document_id)
select distinct a.id, (c ->> 'document_id')::uuid
from assessments a, jsonb_array_elements(a.body::jsonb -> 'citations') c;
