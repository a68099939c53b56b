//! Response scout: an agent looks on the web for what eases a tension; code checks and stores what it found.
//!
//! Invariant: a response has an address that the session opened, eases its tension, and is not over. The marker of the scouting,
//! the results and the end of the task are one transaction.

mod opening;

pub use opening::{ClaimList, tension_opening, theme_codes};

use crate::{
    agents::{
        FoundResponse, OpenedPages, RESPONSE_SCOUT, ResponseEffect, ResponseFinding, TaskAnswer, calls_of_task, run_task,
    },
    cycle::{
        TaskOutcome,
        order::{Counts, CycleOrder, CycleTask, add_count},
    },
    finder::embed,
    findings::{FindingBasis, FindingRule, add_tensions},
    response::{RespondsTo, Response, ResponseId},
    sample::open_together,
    settings::TensionSettings,
    store::{KnownResponse, StrainBatch, TaskResult, TensionStore, vector_text},
    tension::{Tension, TensionId, TensionOrigin},
};
use domain::{CollectionId, DocumentId, Scope, Timestamp};
use engine::{StoreResult, embeddings::cosine};
use feature::{Web, region::Regions};

/// Scouts the tension of a task.
pub async fn scout(web: &Web, order: &CycleOrder, task: &CycleTask) -> StoreResult<TaskOutcome> {
    let (engine, store, settings) = (&web.engine, TensionStore::new(web), web.settings.get::<TensionSettings>());
    let scope = open_together(engine, task.collection).await?;
    let tension = match task.tension {
        Some(id) => store.tension(&scope, id).await?,
        None => None,
    };
    let Some(tension) = tension else { return Ok(TaskOutcome::gone(task)) };
    let claims = ClaimList::of_tension(web, &scope, tension.id).await?;
    let known = store.responses_to(&scope, &[tension.id]).await?;
    let queries = store.future_queries(&scope, tension.id).await?;
    let opening = tension_opening(engine, &tension, &claims, &known, &queries, settings.scout_tool_calls);
    let finding = match run_task::<ResponseFinding>(web, &RESPONSE_SCOUT, task, order.user, &scope, opening).await? {
        TaskAnswer::Given(finding) => finding,
        other => return Ok(TaskOutcome::without_answer(task, other)),
    };
    let pages = OpenedPages::from_calls(&calls_of_task(engine, RESPONSE_SCOUT.role, task).await?);
    let basis = FindingBasis { pages: &pages, claims: &claims.given };
    let result = scout_result(web, task, &scope, &tension, basis, finding).await?;
    Ok(TaskOutcome::Ended(Box::new(result)))
}

/// Returns what to store of a finding.
pub async fn scout_result(
    web: &Web,
    task: &CycleTask,
    scope: &Scope,
    tension: &Tension,
    basis: FindingBasis<'_>,
    finding: ResponseFinding,
) -> StoreResult<TaskResult> {
    let (settings, now) = (web.settings.get::<TensionSettings>(), web.engine.clock.now());
    let mut result = TaskResult::new(task.id);
    let mut queries: Vec<String> = finding.future_queries.iter().map(|query| query.trim().to_owned()).collect();
    queries.retain(|query| Response::is_complete(query, &[]));
    queries.truncate(settings.future_queries);
    add_count(&mut result.counts, "queries", queries.len());
    result.scouted = Some((tension.id, queries));

    let mut responses = vec![];
    for found in finding.responses {
        let read = basis.pages.documents(&found.url).and_then(|documents| documents.first());
        match accepted_response(found, read.copied(), task.collection, &settings, now) {
            Ok(mut accepted) => {
                // A page that names no place answers where it was looked for.
                if accepted.response.region.is_unknown() {
                    accepted.response.region = tension.region.clone();
                }
                responses.push((tension.id, accepted));
            }
            Err(reason) => add_count(&mut result.counts, reason, 1),
        }
    }
    // What a session read of private documents explains nothing that others see.
    let is_open = web.engine.accounts.open_scope().await?.sees(task.collection);
    let linked = if is_open { scope.clone() } else { Scope::from(task.collection) };
    add_responses(web, &linked, responses, &mut result.strain, &mut result.counts).await?;

    let rule = FindingRule { origin: TensionOrigin::Scout, confidence: settings.emergent_confidence, parent: Some(tension.id) };
    add_tensions(web, task, scope, basis, finding.emergent_tensions, rule, &mut result).await?;
    Ok(result)
}

/// A response that may be stored, without its id, and how it eases tensions.
pub struct AcceptedResponse {
    response: Response,
    strength: f64,
    explanation: String,
    mechanism: String,
    also_addresses: Vec<String>,
}

/// Returns a found response that may be stored, or the figure under which it is refused. `document`: the page at its address, as it
/// was read.
pub fn accepted_response(
    found: FoundResponse,
    document: Option<DocumentId>,
    collection: CollectionId,
    settings: &TensionSettings,
    now: Timestamp,
) -> Result<AcceptedResponse, &'static str> {
    if found.effect == ResponseEffect::Escalates {
        return Err("escalating_refused");
    }
    let Some(document) = document else { return Err("unvisited_refused") };
    let [title, summary, explanation, mechanism] =
        [&found.title, &found.summary, &found.explanation, &found.diffusion_mechanism].map(|text| text.trim().to_owned());
    if mechanism.is_empty() || !Response::is_complete(&title, &[&summary, &explanation, &mechanism]) {
        return Err("incomplete_refused");
    }
    let place = format!("{}\n{title}\n{summary}", found.place.as_deref().unwrap_or_default());
    let regions = Regions::shared();
    let region = regions.common(regions.countries_in(&place));
    let response = Response {
        id: ResponseId(document.0),
        collection,
        kind: found.kind,
        title,
        summary,
        url: found.url.trim().to_owned(),
        document: Some(document),
        starts_at: found.event_date.as_deref().and_then(|date| Timestamp::parse(date.trim())),
        ends_at: None,
        region,
        confidence: settings.response_confidence,
        created_at: now,
    };
    if response.has_passed(now) {
        return Err("past_refused");
    }
    let also_addresses = found.also_addresses;
    Ok(AcceptedResponse { response, strength: found.match_strength, explanation, mechanism, also_addresses })
}

/// Adds responses, each with a tension that it eases, and their links to others of a scope. One that is the same as a known one of its
/// kind is linked only.
pub async fn add_responses(
    web: &Web,
    scope: &Scope,
    accepted: Vec<(TensionId, AcceptedResponse)>,
    strain: &mut StrainBatch,
    counts: &mut Counts,
) -> StoreResult<()> {
    let (engine, store, settings) = (&web.engine, TensionStore::new(web), web.settings.get::<TensionSettings>());
    if accepted.is_empty() {
        return Ok(());
    }
    let embedder = engine.embedder.as_deref();
    let model = embedder.map(|embedder| embedder.model().to_owned()).unwrap_or_default();
    let own_text = |(_, one): &(TensionId, AcceptedResponse)| vector_text(&one.response.title, &one.response.summary);
    let mut texts: Vec<String> = accepted.iter().map(own_text).collect();
    texts.extend(accepted.iter().flat_map(|(_, one)| one.also_addresses.iter().cloned()));
    let vectors = match embedder {
        Some(embedder) => embed(embedder, &texts).await.unwrap_or_default(),
        None => vec![],
    };
    // Titles are compared in meaning only, never by their letters.
    let others: usize = accepted.iter().map(|(_, one)| one.also_addresses.len()).sum();
    if vectors.is_empty() && others > 0 {
        add_count(counts, "titles_not_compared", others);
    }
    let mut also = vectors.iter().skip(accepted.len());
    let tensions = store.active_vectors(scope, &model).await?;
    let mut known = store.known_responses(scope, &model).await?;
    for (number, (target, one)) in accepted.into_iter().enumerate() {
        let AcceptedResponse { mut response, strength, explanation, mechanism, also_addresses } = one;
        let vector = vectors.get(number);
        let same = known.iter().find(|known| is_same(known, &response, vector, settings.same_likeness)).map(|known| known.id);
        response.id = same.unwrap_or_else(|| ResponseId(engine.ids.next()));
        let link = |tension: TensionId, strength: f64| RespondsTo {
            tension,
            strength,
            explanation: explanation.clone(),
            mechanism: mechanism.clone(),
            first_seen: response.created_at,
            last_seen: response.created_at,
        };
        let mut links = vec![link(target, strength)];
        for vector in also.by_ref().take(also_addresses.len()) {
            let alike = tensions.iter().map(|(id, other)| (*id, cosine(vector, other)));
            for (id, likeness) in alike.filter(|(_, likeness)| *likeness > settings.same_likeness) {
                if links.iter().all(|link| link.tension != id) {
                    links.push(link(id, likeness));
                }
            }
        }
        add_count(counts, "links", links.len());
        strain.links.extend(links.into_iter().map(|link| (response.id, link)));
        match same {
            Some(_) => add_count(counts, "responses_known", 1),
            None => {
                add_count(counts, "responses_new", 1);
                add_count(counts, response.kind.as_str(), 1);
                known.push(KnownResponse {
                    id: response.id,
                    kind: response.kind,
                    title: response.title.clone(),
                    url: response.url.clone(),
                    vector: vector.cloned(),
                });
                strain.responses.push((response, vector.cloned()));
            }
        }
    }
    strain.model = model;
    Ok(())
}

/// Returns whether a known response of the same kind is the same: by address and title, or by likeness.
fn is_same(known: &KnownResponse, response: &Response, vector: Option<&Vec<f32>>, least: f64) -> bool {
    let is_alike = || vector.zip(known.vector.as_ref()).is_some_and(|(one, other)| cosine(one, other) >= least);
    let has_address = known.url == response.url && known.title.to_lowercase() == response.title.to_lowercase();
    known.kind == response.kind && (has_address || is_alike())
}
