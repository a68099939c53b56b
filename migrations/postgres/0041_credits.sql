-- Whom a document credits beside its outlet: the agency that its text is from, and its authors. What was noted first stays.

create table document_credits (
    document_id uuid primary key references documents (id) on delete cascade,
    agency      text,
    -- What the credits of one agency have in common.
    agency_key  text,
    byline      text,
    -- The day of publication, counted from 1970-01-01; null where no day is known.
    day         bigint
);
create index document_credits_by_agency on document_credits (agency_key, day) where agency_key is not null;
