-- What is asked again and again while nothing happens: how many there are of each status, and how much an investigation has found.
create index investigations_by_status on investigations (status);
create index work_orders_of_status on work_orders (status);
create index events_growth on events (investigation_id, sequence) where what ->> 'type' = 'graph_grew';
-- A process that carries out orders and does nothing else.
alter table holders add column works_only integer not null default 0;
