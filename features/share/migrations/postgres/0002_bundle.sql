-- Whether readers may download the evidence bundle. Links from before offer none, because their people did not choose it.
alter table share_links add column bundle boolean not null default false;
