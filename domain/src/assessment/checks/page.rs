//! Check of the length of the first page.

use super::{CheckContext, Issue};
use crate::{
    AssessmentId, InvestigationId, Timestamp,
    assessment::{Assessment, AssessmentKind, Cost, Digest, InformationPeriod, Producer, SCHEMA, digest::MAX_BRIEF_WORDS},
};
use chrono::NaiveTime;
use std::collections::BTreeMap;
use uuid::Uuid;

/// Words of one more part of a question: its text and its answers.
const PART_WORDS: usize = 60;

/// Finds a first page that is too long for its fixed parts and the first entry of each list.
pub(super) fn first_page_fits(context: &CheckContext<'_>) -> Vec<Issue> {
    let words = Digest::new(&draft(context)).words();
    let more_parts = context.body.hypothesis_sets().len().saturating_sub(1);
    let limit = MAX_BRIEF_WORDS + more_parts * PART_WORDS;
    let text = format!("the first page has {words} words, {limit} fit: shorten bottom line, answers and reasons");
    (words > limit).then(|| ("argument".to_owned(), text)).into_iter().collect()
}

/// The assessment as a page shows it, before it has an id.
fn draft(context: &CheckContext<'_>) -> Assessment {
    let (provider, model, currency) = (String::new(), String::new(), String::new());
    Assessment {
        schema: SCHEMA.to_owned(),
        id: AssessmentId(Uuid::nil()),
        investigation_id: InvestigationId(Uuid::nil()),
        kind: AssessmentKind::Assessment,
        question: context.question.to_owned(),
        created_at: Some(Timestamp::from(context.today.and_time(NaiveTime::MIN).and_utc())),
        information: InformationPeriod::default(),
        disclosure: None,
        body: context.body.clone(),
        citations: context.citations.to_vec(),
        scope: None,
        sources: None,
        dissent: None,
        checks: None,
        producer: Producer { provider, model, prompts: BTreeMap::new() },
        cost: Cost { currency, amount: None, tokens_in: 0, tokens_out: 0 },
    }
}
