-- Whether neither event nor publication has a date, so that the day is that of the capture; null in rows of an older version: no.
alter table tension_evidence add column is_undated integer;
-- Heat of dated evidence alone, which trends compare; null in rows of an older version: the same as the heat.
alter table heat_snapshots add column dated_heat integer;
alter table tensions add column dated_heat integer;

-- Evidence of an older version has no date where its document has none and its day is not before the capture.
update tension_evidence set is_undated = 1
 where exists (select 1 from documents d where d.id = tension_evidence.document_id and d.published_value is null
                  and tension_evidence.day >= d.captured_at / 86400000000);
-- Days and heat are derived again: undated evidence decides the days where none is dated, and snapshots are due.
update tensions set
       snapshot_day = null,
       first_day = coalesce((select e.day from tension_evidence e join documents d on d.id = e.document_id
            where e.tension_id = tensions.id and d.collection_id = tensions.collection_id and not e.is_against
            order by coalesce(e.is_undated, false), e.day limit 1), first_day),
       last_day = coalesce((select e.day from tension_evidence e join documents d on d.id = e.document_id
            where e.tension_id = tensions.id and d.collection_id = tensions.collection_id and not e.is_against
            order by coalesce(e.is_undated, false), e.day desc limit 1), last_day);
