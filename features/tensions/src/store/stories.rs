//! Stories of tensions.

use super::{TensionStore, scope_list};
use crate::{
    story::{StoryPart, StorySentence},
    tension::TensionId,
};
use adapters::sql::{fault::Fault, read, rows, types::word};
use domain::{DocumentId, Scope};
use engine::StoreResult;
use uuid::Uuid;

type SentenceRow = (String, String, Uuid, Option<Uuid>);

impl TensionStore {
    /// Returns the sentences of a story that rest on visible documents. The caller has checked that the reader sees the tension.
    pub async fn story(&self, scope: &Scope, tension: TensionId) -> StoreResult<Vec<StorySentence>> {
        read!(self.0, conn => {
            let rows: Vec<SentenceRow> = rows!(conn.fetch_all,
                "select y.part, y.text, y.source_id, y.document_id from story_sentences y
                  where y.tension_id = $2
                    and (y.document_id is null or exists (select 1 from documents d where d.id = y.document_id
                           and d.collection_id in (select unhex(value) from json_each($1))))
                  order by y.number"; scope_list(scope), tension.0);
            let sentence = |(part, text, source, document): SentenceRow| {
                let part = word("part of a story", &part, StoryPart::parse)?;
                Ok::<_, Fault>(StorySentence { part, text, source, document: document.map(DocumentId) })
            };
            rows.into_iter().map(sentence).collect::<Result<_, Fault>>()?
        })
    }
}
