//! Curiosity: claims that no tension explains are grouped into situations, and an agent asks which strain is behind each.

use crate::{
    agents::{CURIOSITY, OpenedPages, StrainFinding, TaskAnswer, TaskOpening, calls_of_task, fenced, run_task},
    cycle::{
        TaskOutcome,
        order::{CycleOrder, CycleTask, CycleTaskId, Stage},
    },
    finder::claims_of,
    findings::{FindingBasis, FindingRule, GivenClaim, add_tensions, document_day},
    sample::open_together,
    scout::{ClaimList, theme_codes},
    settings::TensionSettings,
    store::{TaskResult, TensionStore, UnsearchedDocument},
    tension::{EvidenceDay, TensionOrigin, day_number},
};
use domain::{
    ClaimId, CollectionId, DocumentId, EntityId, Scope,
    claim::Claim,
    document::{Document, source_name},
};
use engine::{StoreResult, library::origins};
use feature::Web;
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// Tasks with the claims that each starts from.
pub type Situations = (Vec<CycleTask>, Vec<(CycleTaskId, ClaimId, DocumentId)>);

/// Groups unexplained claims into situations: claims of one collection about one entity, the largest groups first.
pub async fn plan_situations(web: &Web, order: &CycleOrder, scope: &Scope) -> StoreResult<Situations> {
    let (engine, settings) = (&web.engine, web.settings.get::<TensionSettings>());
    let documents = TensionStore::new(web).unexplained(scope, settings.curiosity_documents).await?;
    let mut by_collection: BTreeMap<CollectionId, Vec<UnsearchedDocument>> = BTreeMap::new();
    for document in documents {
        by_collection.entry(document.collection).or_default().push(document);
    }
    let mut groups: Vec<(CollectionId, Vec<Claim>)> = vec![];
    for (collection, documents) in by_collection {
        let ids: Vec<DocumentId> = documents.iter().map(|document| document.id).collect();
        let claims = claims_of(engine, &settings, collection, &ids).await?;
        groups.extend(group_claims(claims, &settings).into_iter().map(|claims| (collection, claims)));
    }
    // Groups of one size stay in the order of their collections.
    groups.sort_by_key(|(_, claims)| std::cmp::Reverse(claims.len()));
    groups.truncate(settings.curiosity_situations);
    let (mut tasks, mut starts) = (vec![], vec![]);
    for (collection, claims) in groups {
        let id = CycleTaskId(engine.ids.next());
        starts.extend(claims.iter().map(|claim| (id, claim.id, claim.document_id)));
        tasks.push(CycleTask::new(id, order.id, Stage::Curiosity, collection, None));
    }
    Ok((tasks, starts))
}

/// Returns groups of claims about one entity each. A claim is in one group.
fn group_claims(mut claims: Vec<Claim>, settings: &TensionSettings) -> Vec<Vec<Claim>> {
    let mut groups = vec![];
    loop {
        let mut uses: BTreeMap<EntityId, usize> = BTreeMap::new();
        for id in claims.iter().flat_map(|claim| &claim.entity_ids) {
            *uses.entry(*id).or_default() += 1;
        }
        let most = uses.into_iter().rev().max_by_key(|(_, uses)| *uses);
        let Some((entity, _)) = most.filter(|(_, uses)| *uses >= settings.situation_least) else { return groups };
        let (mut group, rest): (Vec<Claim>, Vec<Claim>) =
            claims.into_iter().partition(|claim| claim.entity_ids.contains(&entity));
        group.truncate(settings.situation_claims);
        groups.push(group);
        claims = rest;
    }
}

/// Asks which strain is behind the claims of a task.
pub async fn ask_why(web: &Web, order: &CycleOrder, task: &CycleTask) -> StoreResult<TaskOutcome> {
    let (engine, store, settings) = (&web.engine, TensionStore::new(web), web.settings.get::<TensionSettings>());
    let scope = open_together(engine, task.collection).await?;
    let claims = engine.graph.claims(&scope, &store.task_claims(task.id).await?).await?;
    if claims.is_empty() {
        return Ok(TaskOutcome::gone(task));
    }
    let list = situation_list(web, &scope, claims).await?;
    let text = format!(
        "Statements that no known tension explains:\n{}\n\nCodes of themes: {}",
        fenced(engine, &list.lines.join("\n")),
        theme_codes()
    );
    let question = "Which strain is behind these statements?".to_owned();
    let opening = TaskOpening { question, text, max_tool_calls: settings.curiosity_tool_calls };
    let finding = match run_task::<StrainFinding>(web, &CURIOSITY, task, order.user, &scope, opening).await? {
        TaskAnswer::Given(finding) => finding,
        other => return Ok(TaskOutcome::without_answer(task, other)),
    };
    let pages = OpenedPages::from_calls(&calls_of_task(engine, CURIOSITY.role, task).await?);
    let mut result = TaskResult::new(task.id);
    let basis = FindingBasis { pages: &pages, claims: &list.given };
    let rule = FindingRule { origin: TensionOrigin::Curiosity, confidence: settings.curiosity_confidence, parent: None };
    add_tensions(web, task, &scope, basis, finding.tensions, rule, &mut result).await?;
    Ok(TaskOutcome::Ended(Box::new(result)))
}

/// Returns claims as a list with their origins and days.
async fn situation_list(web: &Web, scope: &Scope, claims: Vec<Claim>) -> StoreResult<ClaimList> {
    let (engine, today) = (&web.engine, day_number(web.engine.clock.now()));
    let ids: BTreeSet<DocumentId> = claims.iter().map(|claim| claim.document_id).collect();
    let documents = engine.documents.documents(scope, &Vec::from_iter(ids)).await?;
    let texts: BTreeSet<String> = documents.iter().map(|document| document.text_sha256.clone()).collect();
    let leaders = origins::find(&*engine.documents, scope, &engine.config.origins, &texts).await?;
    let documents: HashMap<DocumentId, Document> = documents.into_iter().map(|one| (one.id, one)).collect();
    let mut list = ClaimList::default();
    for claim in claims {
        let Some(document) = documents.get(&claim.document_id) else { continue };
        let origin = leaders.get(&document.text_sha256).unwrap_or(&document.text_sha256).clone();
        let day = EvidenceDay::stated_in(&claim).unwrap_or_else(|| document_day(document)).until(today);
        let given = GivenClaim { claim: claim.id, document: claim.document_id, origin, day };
        list.add(given, &claim.content, source_name(document.outlet.as_deref(), &document.path), "");
    }
    Ok(list)
}
