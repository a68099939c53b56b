-- Lists of assessments by time read this index alone; the rows, which refer to whole reports, are read for the page that is shown.

drop index assessments_by_creation;
create index assessments_by_creation on assessments (created_at, id, investigation_id) include (row_id);
