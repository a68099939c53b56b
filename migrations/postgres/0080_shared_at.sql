-- Time at which a report was made visible to others, for the notification of a team. Null: before this was recorded.

alter table investigation_visibility add column shared_at timestamptz;
