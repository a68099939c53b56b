-- What an investigation added to the graph is the sum of its writes; the totals of the visible graph are no longer read.
drop index events_growth;
create index events_additions on events (investigation_id, sequence) where what ->> 'type' = 'graph_added';
