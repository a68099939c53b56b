-- What people changed in the plan of a running investigation.

create table plan_changes (
    work_order_id    blob not null references work_orders (id) on delete cascade,
    -- added, removed or raised
    change           text not null,
    investigation_id blob not null references investigations (id) on delete cascade,
    changed_by       blob not null,
    changed_at       integer not null,
    primary key (work_order_id, change)
) strict, without rowid;
create index plan_changes_by_investigation on plan_changes (investigation_id, changed_at);
