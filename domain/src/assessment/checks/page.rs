//! Check of the length of the first page.

use super::{CheckContext, Issue};
use crate::{
    AssessmentId, InvestigationId, Timestamp,
    assessment::{
        Assessment, AssessmentKind, Body, Cost, Digest, InformationPeriod, Producer, SCHEMA,
        digest::{MAX_BRIEF_WORDS, words},
    },
};
use chrono::NaiveTime;
use std::collections::BTreeMap;
use uuid::Uuid;

/// Words of one more part of a question: its text and its answers.
const PART_WORDS: usize = 60;
/// Words of the dissent, which is written later: its verdict, and its figure beside that of each part. Without answers it has none.
const DISSENT_WORDS: usize = 9;
const DISSENT_FIGURE_WORDS: usize = 7;

/// Words of the parts of a first page, as the prompt of the Analyst names them.
const BOTTOM_LINE_WORDS: usize = 60;
const STATEMENT_WORDS: usize = 12;
const REASON_WORDS: usize = 25;
const OBJECTION_WORDS: usize = 20;
const ENTRY_WORDS: usize = 25;

/// Finds a first page that is too long for its fixed parts and the first entry of each list, and the parts that make it so.
pub(super) fn first_page_fits(context: &CheckContext<'_>) -> Vec<Issue> {
    let digest = Digest::new(&draft(context));
    let parts = context.body.hypothesis_sets().len().max(1);
    let has_dissent = !context.body.hypotheses.is_empty();
    let dissent_words = if has_dissent { DISSENT_WORDS + parts * DISSENT_FIGURE_WORDS } else { 0 };
    let words = digest.least_words() + dissent_words;
    let limit = MAX_BRIEF_WORDS + (parts - 1) * PART_WORDS;
    if words <= limit {
        return vec![];
    }
    let text = format!("the first page has {words} words, {limit} fit: shorten bottom line, answers and reasons");
    std::iter::once(("argument".to_owned(), text)).chain(overlong_parts(context.body, &digest)).collect()
}

/// Finds the parts of the first page that have more words than their share.
fn overlong_parts(body: &Body, digest: &Digest) -> Vec<Issue> {
    let mut parts = vec![("bottom_line".to_owned(), words(&body.bottom_line), BOTTOM_LINE_WORDS)];
    let statements = body.hypotheses.iter().enumerate();
    parts.extend(statements.map(|(n, one)| (format!("hypotheses[{n}].statement"), words(&one.statement), STATEMENT_WORDS)));
    let reason = body.argument.reasons.first();
    parts.extend(reason.map(|one| ("argument.reasons[0].text".to_owned(), words(&one.text), REASON_WORDS)));
    let objection = body.argument.objection.as_ref();
    parts.extend(objection.map(|one| ("argument.objection.text".to_owned(), words(&one.text), OBJECTION_WORDS)));
    if let Some(flip) = digest.flips.open.first() {
        let indicator = body.indicators.iter().position(|one| Some(&one.id) == flip.indicator.as_ref());
        let judgement = body.key_judgements.iter().position(|one| one.would_change.as_ref() == Some(&flip.text));
        let at = match (indicator, judgement) {
            (Some(n), _) => format!("indicators[{n}].text"),
            (None, Some(n)) => format!("key_judgements[{n}].would_change"),
            (None, None) => "indicators".to_owned(),
        };
        parts.push((at, words(&flip.text), ENTRY_WORDS));
    }
    let impact = body.impacts.first();
    parts.extend(impact.map(|one| ("impacts[0].effect".to_owned(), words(&one.effect), ENTRY_WORDS)));
    let gap = body.gaps.first();
    let gap_words = gap.map(|one| words(&one.text) + one.how_to_close.as_deref().map_or(0, words));
    parts.extend(gap_words.map(|words| ("gaps[0]".to_owned(), words, ENTRY_WORDS)));
    parts.extend(body.change.as_ref().map(|one| ("change.summary".to_owned(), words(&one.summary), ENTRY_WORDS)));
    let overlong = parts.into_iter().filter(|(_, words, limit)| words > limit);
    overlong.map(|(at, words, limit)| (at, format!("it has {words} words, {limit} fit on the first page"))).collect()
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
