//! Comparisons of two versions of an assessment as shared objects. The reference is both ids, with a comma between them.

use super::{
    PrivateNames, SAMPLE, ShareableKind, SharedObject, SharedSection, SharedTable, SharedTitle,
    assessment::{add_names, method, read},
};
use crate::Web;
use app::{Slot, format};
use domain::{
    AssessmentId,
    assessment::{StatementChange, unmarked},
    user::User,
};
use engine::{StoreResult, assessments::StoredAssessment};
use std::collections::HashMap;
use views::ComparedSide;

pub const KIND: ShareableKind = ShareableKind {
    key: Slot::COMPARISON,
    name: "comparison",
    load: |web, viewer, reference| Box::pin(async move { load(&web, &viewer, &reference).await }),
    titles: |web, viewer, references| Box::pin(async move { titles(&web, &viewer, references).await }),
};

/// Returns the address of a comparison.
fn address(earlier: AssessmentId, later: AssessmentId) -> String {
    format!("/assessments/{earlier}/compare?with={later}")
}

async fn titles(web: &Web, viewer: &User, references: Vec<String>) -> StoreResult<HashMap<String, SharedTitle>> {
    let pair = |reference: String| {
        let (one, other) = reference.split_once(',')?;
        let ids: [AssessmentId; 2] = [one.parse().ok()?, other.parse().ok()?];
        Some((reference, ids))
    };
    let pairs: Vec<(String, [AssessmentId; 2])> = references.into_iter().filter_map(pair).collect();
    let ids: Vec<AssessmentId> = pairs.iter().flat_map(|(_, ids)| *ids).collect();
    let found = web.engine.open_assessments(viewer, &ids).await?;
    let found: HashMap<AssessmentId, StoredAssessment> =
        found.into_iter().map(|stored| (stored.assessment.id, stored)).collect();
    let title = |(reference, [one, other]): (String, [AssessmentId; 2])| {
        let (one, other) = (found.get(&one)?, found.get(&other)?);
        let (earlier, later) = if one.created_at <= other.created_at { (one, other) } else { (other, one) };
        let href = address(earlier.assessment.id, later.assessment.id);
        Some((reference, SharedTitle { title: later.assessment.question.clone(), href }))
    };
    Ok(pairs.into_iter().filter_map(title).collect())
}

async fn load(web: &Web, viewer: &User, reference: &str) -> StoreResult<Option<SharedObject>> {
    let Some((one, other)) = reference.split_once(',') else { return Ok(None) };
    let (one, other) = (read(web, viewer, one).await?, read(web, viewer, other).await?);
    let (Some(one), Some(other)) = (one, other) else { return Ok(None) };
    let (is_sample, one, other) = (one.is_sample, one.assessment, other.assessment);
    let Some(view) = web.engine.comparison_view(viewer, one.id, other.id).await? else { return Ok(None) };
    let mut names = PrivateNames::default();
    [&one, &other].into_iter().for_each(|side| add_names(&mut names, side));
    let later = if one.id == view.later.id { &one } else { &other };
    let rows: Vec<Vec<String>> = view.answers.iter().chain(&view.judgements).filter_map(cells).collect();
    let citations = |number: usize| format::count(number as u64, "citation", "citations");
    let is_quoted = [&one, &other].iter().any(|side| !side.kind.is_assessment());
    let mut facts = vec![
        format!("{} compared with {}", format::day(view.earlier.created_at), format::day(view.later.created_at)),
        unmarked(&view.sentence),
    ];
    facts.extend(is_sample.then(|| SAMPLE.to_owned()));
    let shared = SharedObject {
        href: address(view.earlier.id, view.later.id),
        title: view.question.clone(),
        facts,
        finding: unmarked(&view.later.bottom_line),
        bars: vec![],
        sections: vec![
            SharedSection { heading: "Before", lines: vec![before(&view.earlier)] },
            SharedSection {
                heading: "Evidence",
                lines: vec![format!(
                    "{} of both versions, {} of the later one alone, {} of the earlier one alone.",
                    citations(view.kept),
                    citations(view.added.len()),
                    citations(view.removed.len())
                )],
            },
        ],
        graph: None,
        table: (!rows.is_empty()).then(|| SharedTable {
            caption: "What changed",
            heads: vec!["Statement", "Earlier", "Later"],
            rows,
        }),
        sources: vec![],
        method: method(later),
        is_quoted,
    };
    Ok(Some(shared.without_names(&names)))
}

fn before(side: &ComparedSide) -> String {
    format!("{}: {}", format::day(side.created_at), unmarked(&side.bottom_line))
}

/// Returns the cells of a statement with its probabilities; none without a probability.
fn cells(row: &StatementChange) -> Option<Vec<String>> {
    let statement = row.later.as_ref().or(row.earlier.as_ref())?;
    if row.probability == (None, None) {
        return None;
    }
    let shown = |value: Option<f64>| value.map_or_else(|| "–".to_owned(), format::percent);
    Some(vec![unmarked(statement), shown(row.probability.0), shown(row.probability.1)])
}
