-- What is not resolved is looked for over all investigations: the queue is made of it, when Redis has lost everything.
create index work_orders_open on work_orders (created_at, id) where status in ('queued', 'assigned');
-- What past runs cost is asked of the newest that came to an end.
create index investigations_by_completion on investigations (completed_at) where status = 'completed';
-- Up to which document a page of a library goes is asked for each collection.
create index documents_by_arrival on documents (collection_id, row_id);
