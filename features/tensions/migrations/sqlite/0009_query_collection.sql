-- Collection whose readers may see a query for the next scouting: that of the task that left it. Older queries have none, and stay unused.
alter table future_queries add column collection_id blob references collections (id) on delete cascade;
create index future_queries_by_collection on future_queries (collection_id);
