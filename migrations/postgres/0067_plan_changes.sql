-- What people changed in the plan of a running investigation.

create table plan_changes (
    work_order_id    uuid not null references work_orders (id) on delete cascade,
    -- added, removed or raised
    change           text not null,
    investigation_id uuid not null references investigations (id) on delete cascade,
    changed_by       uuid not null,
    changed_at       timestamptz not null,
    primary key (work_order_id, change)
);
create index plan_changes_by_investigation on plan_changes (investigation_id, changed_at);
