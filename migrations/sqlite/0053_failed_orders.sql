-- Failed work orders that need no attention: discarded by an administrator, or cancelled with their investigation.

alter table work_orders add column discarded_at integer;
update work_orders set discarded_at = completed_at
 where status = 'failed' and failure = 'cancelled: the investigation was asked to finish';
create index work_orders_failed on work_orders (completed_at, id) where status = 'failed' and discarded_at is null;
