//! Changes of belief as products: a newer version of a question that moved a likelihood or dropped something, with the new evidence.
//!
//! Invariant: what changed is shown only to those who read both versions.

use crate::{
    sources::report_product,
    store::{BeliefRow, MonitorStore},
};
use app::format;
use domain::{
    AssessmentId, ObjectId, Timestamp,
    assessment::{Assessment, Comparison, HypothesisChange, Losses, StatementChange, as_clause, unmarked},
    user::User,
};
use engine::{
    StoreResult,
    assessments::{compare, is_same_question},
};
use feature::{Product, ProductMark, ProductQuery, ProductSource, ReadPair, ReadableProduct, Web};
use std::collections::{BTreeSet, HashMap, HashSet};

/// Words of what changed and why.
const WORDS: u32 = 120;
/// Characters of the quote or account that is the reason.
const REASON_CHARS: usize = 200;
/// Newest changes among which answers that moved are sought.
const LOOKED_AT: u32 = 25;

pub const BELIEFS: ProductSource = ProductSource {
    key: "belief",
    title: "Change of belief",
    list: |web, query| Box::pin(list(web, query)),
    find: |web, reader, ids| Box::pin(find(web, reader, ids)),
    read_pairs: |web, pairs| Box::pin(read_pairs(web, pairs)),
};

async fn list(web: Web, query: ProductQuery) -> StoreResult<Vec<Product>> {
    let store = MonitorStore::new(&web);
    let mut rows = match query {
        ProductQuery::Arrived { after, limit } => arrived(&store, after, limit).await?,
        ProductQuery::Newest { reader, since, limit } => store.newest_beliefs(reader.id, since, limit).await?,
    };
    rows.retain(|row| row.change.is_notable());
    Ok(rows.into_iter().map(|row| report_product(row.report)).collect())
}

/// Returns the next notable changes after a mark; fewer than `limit` only where there are no more.
async fn arrived(store: &MonitorStore, mut after: ProductMark, limit: u32) -> StoreResult<Vec<BeliefRow>> {
    let (mut notable, most) = (vec![], limit as usize);
    loop {
        let rows = store.arrived_beliefs(after, limit).await?;
        let (number, last) = (rows.len(), rows.last().map(|row| ProductMark { at: row.report.at, id: row.report.id.0 }));
        notable.extend(rows.into_iter().filter(|row| row.change.is_notable()));
        match last {
            Some(last) if number == most && notable.len() < most => after = last,
            _ => break,
        }
    }
    notable.truncate(most);
    Ok(notable)
}

async fn find(web: Web, reader: User, ids: Vec<ObjectId>) -> StoreResult<Vec<ReadableProduct>> {
    let rows = MonitorStore::new(&web).readable_beliefs(reader.id, &ids).await?;
    let versions = both_versions(&web, &reader, &rows).await?;
    Ok(versions.iter().map(|(earlier, later)| readable_change(earlier, later)).collect())
}

/// Returns the earlier and the later version of each change of which a person reads both.
async fn both_versions(web: &Web, reader: &User, rows: &[BeliefRow]) -> StoreResult<Vec<(Assessment, Assessment)>> {
    if rows.is_empty() {
        return Ok(vec![]);
    }
    let scope = web.engine.read_scope(reader).await?;
    let pair = |row: &BeliefRow| (row.earlier, AssessmentId(row.report.id.0));
    let versions: Vec<AssessmentId> = rows.iter().map(pair).flat_map(|(earlier, later)| [earlier, later]).collect();
    let stored = web.engine.assessments.assessments(&scope, &versions).await?;
    let stored: HashMap<AssessmentId, Assessment> = stored.into_iter().map(|one| (one.assessment.id, one.assessment)).collect();
    let both = |row: &BeliefRow| {
        let (earlier, later) = pair(row);
        Some((stored.get(&earlier)?.clone(), stored.get(&later)?.clone()))
    };
    Ok(rows.iter().filter_map(both).collect())
}

/// Answer whose likelihood moved most from one version of a question to the next.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MovedAnswer {
    pub statement: String,
    /// `12 → 31 %`.
    pub shares: String,
    /// Address of the page that shows the change.
    pub href: String,
}

/// Returns the answers that the newest versions since a time have moved, of those that a person reads, newest first. Versions that moved
/// nothing, or of which the person reads one alone, take no place.
pub async fn moved_answers(web: &Web, reader: &User, since: Timestamp, most: usize) -> StoreResult<Vec<MovedAnswer>> {
    let mut rows = MonitorStore::new(web).newest_beliefs(reader.id, since, LOOKED_AT).await?;
    rows.retain(|row| row.change.largest_points != 0);
    let mut answers = vec![];
    for rows in rows.chunks(most.max(1)) {
        if answers.len() >= most {
            break;
        }
        let versions = both_versions(web, reader, rows).await?;
        answers.extend(versions.iter().filter_map(|(earlier, later)| moved_answer(earlier, later)));
    }
    answers.truncate(most);
    Ok(answers)
}

/// Returns the answer whose likelihood moved most between two versions; none where none moved.
fn moved_answer(earlier: &Assessment, later: &Assessment) -> Option<MovedAnswer> {
    let comparison = comparison(earlier, later);
    let change = &largest_move(&comparison)?.change;
    let statement = unmarked(change.later.as_deref()?);
    Some(MovedAnswer { statement, shares: shares(change)?, href: address(earlier, later) })
}

/// Returns those of some pairs whose person reads both versions.
async fn read_pairs(web: Web, mut pairs: Vec<ReadPair>) -> StoreResult<Vec<ReadPair>> {
    let store = MonitorStore::new(&web);
    let ids: BTreeSet<ObjectId> = pairs.iter().map(|(_, later)| *later).collect();
    let rows = store.beliefs_by_id(&Vec::from_iter(ids)).await?;
    let earlier: HashMap<ObjectId, ObjectId> = rows.iter().map(|row| (row.report.id, ObjectId(row.earlier.0))).collect();
    let of_earlier = |(person, later): &ReadPair| Some((*person, *earlier.get(later)?));
    let versions: Vec<ReadPair> = pairs.iter().copied().chain(pairs.iter().filter_map(of_earlier)).collect();
    let read: HashSet<ReadPair> = store.read_reports(&versions).await?.into_iter().collect();
    pairs.retain(|pair| read.contains(pair) && of_earlier(pair).is_some_and(|earlier| read.contains(&earlier)));
    Ok(pairs)
}

/// Compares two versions. Of a follow-up, what one of the two questions has alone answers another question, and is not lost.
fn comparison(earlier: &Assessment, later: &Assessment) -> Comparison {
    let mut comparison = compare(earlier, later);
    if !is_same_question(&earlier.question, &later.question) {
        let none: Vec<&String> = later.body.hypotheses.iter().filter(|one| one.is_none).map(|one| &one.statement).collect();
        comparison.hypotheses.retain(|one| one.change.later.as_ref().is_some_and(|statement| !none.contains(&statement)));
        comparison.losses = Losses::default();
    }
    comparison
}

/// Returns the address of the page that shows a change.
fn address(earlier: &Assessment, later: &Assessment) -> String {
    let page = if is_same_question(&earlier.question, &later.question) { "/history" } else { "" };
    format!("/assessments/{}{page}", later.id)
}

/// Returns what changed between two versions: the likelihood that moved most and why, else the change as a whole.
fn readable_change(earlier: &Assessment, later: &Assessment) -> ReadableProduct {
    let comparison = comparison(earlier, later);
    let moved = largest_move(&comparison).and_then(|moved| Some((headline(&moved.change)?, reason(moved, later))));
    let (title, reason, lost) = match moved {
        Some((title, reason)) => (title, reason, lost_hypotheses(&comparison)),
        None => (comparison.sentence(), None, None),
    };
    let summary: Vec<String> = [reason, lost, Some(later.question.clone())].into_iter().flatten().collect();
    ReadableProduct { id: ObjectId(later.id.0), title, href: address(earlier, later), summary: summary.join(" "), words: WORDS }
}

/// Returns the answer that moved most; of several the first.
fn largest_move(comparison: &Comparison) -> Option<&HypothesisChange> {
    let moved = comparison.hypotheses.iter().filter(|one| one.change.points().is_some_and(|points| points != 0));
    moved.rev().max_by_key(|one| one.change.points().map(i32::abs))
}

/// Returns a move in words: `Likelihood of “the lock opens” 12 → 31 %`.
fn headline(change: &StatementChange) -> Option<String> {
    Some(format!("Likelihood of “{}” {}", as_clause(change.later.as_deref()?), shares(change)?))
}

/// Returns the probabilities before and after a move: `12 → 31 %`.
fn shares(change: &StatementChange) -> Option<String> {
    let (before, after) = (change.probability.0? * 100.0, change.probability.1? * 100.0);
    Some(format!("{before:.0} → {after:.0}\u{a0}%"))
}

/// Returns what speaks for a move: the first new evidence of the side that it moved to, else the account of the newer version. It is not
/// claimed as the cause.
fn reason(moved: &HypothesisChange, later: &Assessment) -> Option<String> {
    let evidence = &moved.new_evidence;
    let (side, markers) = match moved.change.points()? > 0 {
        true => ("for", &evidence.supporting),
        false => ("against", &evidence.against),
    };
    let cited = markers.iter().find_map(|marker| later.citations.iter().find(|citation| citation.marker == *marker));
    if let Some(citation) = cited {
        let quote = format::abridged(&as_clause(&citation.quote), REASON_CHARS);
        return Some(format!("New evidence {side} it: {} says “{quote}”.", citation.source_name()));
    }
    let account = later.body.change.as_ref().map(|change| unmarked(&change.summary))?;
    (!account.is_empty()).then(|| format::abridged(&account, REASON_CHARS))
}

/// Returns the hypotheses that the newer version dropped without mention.
fn lost_hypotheses(comparison: &Comparison) -> Option<String> {
    let lost = comparison.losses.hypotheses.iter().map(|one| format!("“{}”", as_clause(&one.statement)));
    let lost: Vec<String> = lost.collect();
    (!lost.is_empty()).then(|| format!("Dropped without mention: {}.", lost.join(", ")))
}
