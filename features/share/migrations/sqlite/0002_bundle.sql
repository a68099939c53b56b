-- Whether readers may download the evidence bundle; null in links of an older version, which offer none.
alter table share_links add column bundle integer;
