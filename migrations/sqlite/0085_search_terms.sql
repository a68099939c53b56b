-- How often a word stands in a text. The rank of FTS5 depends on the texts of everybody; an order by these numbers on the text alone.
create virtual table documents_terms using fts5vocab (documents_search, instance);
create virtual table assessments_terms using fts5vocab (assessments_search, instance);
