//! Tensions as shared objects: statement, heat, what strains, what answers it, and what eased like ones.

use crate::{
    heat::heat_text,
    pages::detail::{EvidenceLine, TensionView, address, find},
    store::{NamedTension, TensionStore},
    tension::{TensionId, TensionState, day_start},
};
use app::format;
use domain::{DocumentId, document::Document, user::User};
use engine::StoreResult;
use feature::{
    ShareableKind, SharedObject, Web,
    shareable::{PrivateNames, SAMPLE, SharedBar, SharedSection, SharedSource, SharedTitle},
};
use std::collections::{BTreeSet, HashMap};
use tensions_islands::percent;

/// Latest pieces of evidence whose documents are looked at for names of files.
const MOST_DOCUMENTS: usize = 500;

/// Key of the kind.
pub const KEY: &str = "tension";

pub const KIND: ShareableKind = ShareableKind {
    key: KEY,
    name: "tension",
    load: |web, viewer, reference| Box::pin(async move { load(&web, &viewer, &reference).await }),
    titles: |web, viewer, references| Box::pin(async move { titles(&web, &viewer, references).await }),
};

async fn titles(web: &Web, viewer: &User, references: Vec<String>) -> StoreResult<HashMap<String, SharedTitle>> {
    let ids: HashMap<TensionId, String> =
        references.into_iter().filter_map(|reference| Some((reference.parse().ok()?, reference))).collect();
    let scope = web.engine.read_scope(viewer).await?;
    let named = TensionStore::new(web).named(&scope, &Vec::from_iter(ids.keys().copied())).await?;
    let title =
        |one: NamedTension| Some((ids.get(&one.asked)?.clone(), SharedTitle { title: one.title, href: address(one.id) }));
    Ok(named.into_iter().filter_map(title).collect())
}

async fn load(web: &Web, viewer: &User, reference: &str) -> StoreResult<Option<SharedObject>> {
    let Some(view) = find(web, viewer, reference, 1).await? else { return Ok(None) };
    let lines: Vec<&EvidenceLine> = view.strains.iter().chain(&view.against).collect();
    let scope = web.engine.read_scope(viewer).await?;
    let (evidence, _) = TensionStore::new(web).evidence(&scope, view.tension.id, 0, MOST_DOCUMENTS).await?;
    let ids: BTreeSet<DocumentId> =
        evidence.iter().chain(lines.iter().map(|line| &line.evidence)).map(|one| one.document).collect();
    let documents = web.engine.documents.documents(&scope, &Vec::from_iter(ids)).await?;
    let documents: HashMap<DocumentId, Document> = documents.into_iter().map(|one| (one.id, one)).collect();
    let mut names = PrivateNames::default();
    documents.values().for_each(|document| names.add(&document.path));
    let mut sources = vec![];
    for line in lines {
        let Some(document) = documents.get(&line.evidence.document) else { return Ok(None) };
        let marker = sources.len() as u32 + 1;
        sources.push(SharedSource {
            published: line.claim.published.map(format::published),
            quote: line.claim.quote.clone(),
            ..SharedSource::new(marker, document.outlet.as_deref(), &document.path, &document.title)
        });
    }
    Ok(Some(shared(&view, sources).without_names(&names)))
}

/// Returns the object with its sources: those of `view.strains`, then of `view.against`.
fn shared(view: &TensionView, sources: Vec<SharedSource>) -> SharedObject {
    let tension = &view.tension;
    let cited = |lines: &[EvidenceLine], first: usize| -> Vec<String> {
        lines.iter().enumerate().map(|(place, line)| format!("{} [{}]", line.claim.content, first + place)).collect()
    };
    let current = view.responses.iter().filter(|one| !one.is_over(view.limits));
    let answers = current.map(|one| {
        let response = &one.response;
        format!("{}: {}. {}", response.kind.label(), response.title, one.link.explanation)
    });
    let eased = view.precedents.iter().map(|precedent| {
        let answers: Vec<&str> = precedent.responses.iter().map(|one| one.response.title.as_str()).collect();
        match answers.is_empty() {
            true => precedent.eased.title.clone(),
            false => format!("{}: {}", precedent.eased.title, answers.join(", ")),
        }
    });
    let sections = [
        ("What strains", cited(&view.strains, 1)),
        ("What speaks against it", cited(&view.against, view.strains.len() + 1)),
        ("What answers it", answers.collect()),
        ("What eased like ones", eased.collect()),
    ];
    let section = |(heading, lines): (&'static str, Vec<String>)| SharedSection { heading, lines };
    let origins = format::count(view.heat.terms.len() as u64, "origin", "origins");
    let last_day = format::day(day_start(tension.last_day));
    let last = match view.is_undated {
        true => format!("whose dates are unknown; the last was read on {last_day}"),
        false => format!("the last evidence is of {last_day}"),
    };
    let mut facts = vec![
        format!("Heat {}, {}", heat_text(view.heat.value), view.trend.word()),
        tension.region.label().to_owned(),
        view.days_text(),
    ];
    facts.extend(view.is_sample.then(|| SAMPLE.to_owned()));
    if tension.state != TensionState::Active {
        facts.push("dismissed".to_owned());
    }
    SharedObject {
        href: address(tension.id),
        title: tension.title.clone(),
        facts,
        finding: tension.statement.clone(),
        bars: vec![SharedBar { label: "Heat".into(), percent: u32::from(percent(view.heat.value)) }],
        sections: sections.into_iter().map(section).filter(|section| !section.lines.is_empty()).collect(),
        graph: None,
        table: None,
        sources,
        method: format!("{}. Heat counts {origins}, {last}.", format::capitalised(tension.origin.words())),
        is_quoted: false,
    }
}
