-- Evidence whose event and publication have no date. Its day is that of the capture.
alter table tension_evidence add column is_undated integer not null default 0;
-- Heat of dated evidence alone, which trends compare.
alter table heat_snapshots add column dated_heat integer not null default 0;
alter table tensions add column dated_heat integer not null default 0;

-- Evidence of an older version has no date where its document has none and its day is not before the capture.
update tension_evidence set is_undated = 1
 where exists (select 1 from documents d where d.id = tension_evidence.document_id and d.published_value is null
                  and tension_evidence.day >= d.captured_at / 86400000000);
update heat_snapshots set dated_heat = heat;
-- The next round derives days and heat of all tensions again.
update tensions set dated_heat = cause_heat, evidence_rows = -1;
