//! Tensions that models find: each needs evidence, and one that is alike a known tension becomes evidence of that.

use crate::{
    agents::{FoundTension, OpenedPages},
    cycle::order::{CycleTask, add_count},
    finder::{dismissed_origins, embed},
    response::Response,
    settings::TensionSettings,
    store::{AlikeCandidate, CandidateGroup, StrainBatch, TaskResult, TensionStore, vector_text},
    taxonomy::Taxonomy,
    tension::{Evidence, EvidenceDay, Tension, TensionId, TensionOrigin, TensionState, day_number},
};
use domain::{ClaimId, CollectionId, DocumentId, Scope, Timestamp, claim::Mode, document::Document};
use engine::{Engine, StoreResult, embeddings::cosine, library::origins};
use feature::{
    Web,
    region::{Region, Regions},
};
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// Kind of a tension whose statement has none of the words of the taxonomy.
pub const INFERRED_KIND: &str = "inferred";

/// A claim that an opening lists, as evidence.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GivenClaim {
    pub claim: ClaimId,
    pub document: DocumentId,
    /// Hash that leads the texts that repeat this one.
    pub origin: String,
    pub day: EvidenceDay,
}

impl From<Evidence> for GivenClaim {
    fn from(evidence: Evidence) -> Self {
        let Evidence { claim, document, origin, day, .. } = evidence;
        Self { claim, document, origin, day }
    }
}

/// Pages and claims that a finding may rest on.
#[derive(Debug, Clone, Copy)]
pub struct FindingBasis<'a> {
    pub pages: &'a OpenedPages,
    /// Claims of the opening, the first has number 1.
    pub claims: &'a [GivenClaim],
}

/// Origin, confidence and parent of the tensions of a finding.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FindingRule {
    pub origin: TensionOrigin,
    pub confidence: f64,
    /// Tension whose work brings them up.
    pub parent: Option<TensionId>,
}

/// A found tension with its evidence.
pub struct TensionDraft {
    found: FoundTension,
    subject: String,
    /// None where its statement has none of the words of the taxonomy.
    kind: Option<String>,
    region: Region,
    pub evidence: Vec<Evidence>,
}

impl TensionDraft {
    pub fn new(found: FoundTension, evidence: Vec<Evidence>) -> Self {
        let (title, statement) = (found.title.trim(), found.statement.trim());
        let subject = format!("found/{}/{}", found.theme, title.to_lowercase());
        let kind = Taxonomy::shared().read(statement, Mode::Asserted).map(|stated| stated.kind.code.clone());
        let place = format!("{}\n{title}\n{statement}", found.place.as_deref().unwrap_or_default());
        let regions = Regions::shared();
        let region = regions.common(regions.countries_in(&place));
        Self { found, subject, kind, region, evidence }
    }

    /// Replaces the origins of its evidence by the texts that lead them.
    pub fn lead_origins(&mut self, leaders: &BTreeMap<String, String>) {
        for evidence in &mut self.evidence {
            if let Some(leader) = leaders.get(&evidence.origin) {
                evidence.origin.clone_from(leader);
            }
        }
    }

    /// Known tensions that it is compared with.
    fn group(&self) -> CandidateGroup {
        match &self.kind {
            Some(kind) => CandidateGroup::Kind(kind.clone()),
            None => CandidateGroup::Theme(self.found.theme.clone()),
        }
    }

    /// Days of its first and last evidence.
    fn days(&self) -> (i64, i64) {
        let days = self.evidence.iter().map(|one| one.day.day);
        (days.clone().min().unwrap_or_default(), days.max().unwrap_or_default())
    }

    /// Returns the most alike known tension near in place and time, from a likeness on.
    fn most_alike(&self, vector: &[f32], known: &[AlikeCandidate], settings: &TensionSettings) -> Option<TensionId> {
        let quiet_days = i64::from(settings.quiet_days);
        let near = known.iter().filter(|one| one.is_near(&self.region.code, self.days(), quiet_days));
        let alike = near.map(|one| (one.id, cosine(vector, &one.vector)));
        let best = alike.max_by(|one, other| one.1.total_cmp(&other.1).then_with(|| other.0.cmp(&one.0)));
        best.filter(|(_, likeness)| *likeness >= settings.same_likeness).map(|(id, _)| id)
    }

    fn candidate(&self, id: TensionId, vector: Vec<f32>) -> AlikeCandidate {
        let (first_day, last_day) = self.days();
        AlikeCandidate { id, region: self.region.code.clone(), first_day, last_day, vector }
    }
}

/// A found tension that is new, or the same as a known one.
pub struct PlacedTension {
    /// Number of its draft.
    pub number: usize,
    pub id: TensionId,
    pub is_new: bool,
    draft: TensionDraft,
}

impl PlacedTension {
    /// Returns the number of independent origins of its evidence.
    fn origins(&self) -> usize {
        let origins: BTreeSet<&str> = self.draft.evidence.iter().map(|one| one.origin.as_str()).collect();
        origins.len()
    }

    /// Adds it to a batch with its evidence; of a known one the evidence alone.
    pub fn add_to(self, batch: &mut StrainBatch, collection: CollectionId, rule: FindingRule, now: Timestamp) {
        let Self { id, is_new, draft, .. } = self;
        let (first_day, last_day) = draft.days();
        let TensionDraft { found, subject, kind, region, evidence } = draft;
        if is_new {
            batch.subjects.push((id, subject));
            batch.tensions.push(Tension {
                id,
                collection,
                origin: rule.origin,
                theme: found.theme,
                kind: kind.unwrap_or_else(|| INFERRED_KIND.to_owned()),
                title: found.title.trim().to_owned(),
                statement: found.statement.trim().to_owned(),
                region,
                severity: found.severity,
                confidence: rule.confidence,
                state: TensionState::Active,
                first_day,
                last_day,
                cause_heat: 0.0,
                response_scouted_at: None,
                created_at: now,
            });
        }
        batch.evidence.extend(evidence.into_iter().map(|one| (id, one)));
    }
}

/// Adds the tensions of a finding to the result of its task.
pub async fn add_tensions(
    web: &Web,
    task: &CycleTask,
    scope: &Scope,
    basis: FindingBasis<'_>,
    found: Vec<FoundTension>,
    rule: FindingRule,
    result: &mut TaskResult,
) -> StoreResult<()> {
    let engine = &web.engine;
    let mut drafts = vec![];
    for found in found {
        let evidence = match is_usable(&found) {
            true => evidence_of(engine, scope, basis, &found).await?,
            false => vec![],
        };
        if evidence.is_empty() {
            add_count(&mut result.counts, "tensions_refused", 1);
            continue;
        }
        drafts.push(TensionDraft::new(found, evidence));
    }
    if drafts.is_empty() {
        return Ok(());
    }
    let (number, leaders) = (drafts.len(), lead_origins(engine, scope, &mut drafts).await?);
    let placed = place_tensions(web, scope, drafts, &leaders).await?;
    // A person has dismissed all evidence of the others.
    if placed.len() < number {
        add_count(&mut result.counts, "tensions_refused", number - placed.len());
    }
    for one in placed {
        add_count(&mut result.counts, if one.is_new { "tensions_new" } else { "tensions_known" }, 1);
        result.spawned.extend(rule.parent.filter(|_| one.is_new).map(|parent| (one.id, parent, one.origins())));
        one.add_to(&mut result.strain, task.collection, rule, engine.clock.now());
    }
    Ok(())
}

/// Finds out which drafts are known tensions of a scope, or alike one. Drafts of which a person has dismissed all evidence are left out.
pub async fn place_tensions(
    web: &Web,
    scope: &Scope,
    mut drafts: Vec<TensionDraft>,
    leaders: &BTreeMap<String, String>,
) -> StoreResult<Vec<PlacedTension>> {
    let (engine, store, settings) = (&web.engine, TensionStore::new(web), web.settings.get::<TensionSettings>());
    let subjects: Vec<String> = drafts.iter().map(|draft| draft.subject.clone()).collect();
    let dismissed = dismissed_origins(&store, scope, &subjects, leaders).await?;
    for draft in &mut drafts {
        draft.evidence.retain(|one| !dismissed.contains(&(draft.subject.clone(), one.origin.clone())));
    }
    let known = store.known_subjects(scope, &subjects).await?;
    let mut known: HashMap<String, TensionId> = known.into_iter().rev().map(|one| (one.subject, one.tension)).collect();
    let texts: Vec<String> = drafts.iter().map(|draft| vector_text(&draft.found.title, &draft.found.statement)).collect();
    let embedder = engine.embedder.as_deref();
    let vectors = match embedder {
        Some(embedder) => embed(embedder, &texts).await.unwrap_or_default(),
        None => vec![],
    };
    let mut by_group: BTreeMap<CandidateGroup, Vec<AlikeCandidate>> = BTreeMap::new();
    let mut placed = vec![];
    for (number, draft) in drafts.into_iter().enumerate() {
        if draft.evidence.is_empty() {
            continue;
        }
        let (vector, group) = (vectors.get(number), draft.group());
        if let Some(embedder) = embedder.filter(|_| !by_group.contains_key(&group)) {
            let candidates = store.alike_candidates(scope, &group, embedder.model()).await?;
            by_group.insert(group.clone(), candidates);
        }
        let others = by_group.entry(group).or_default();
        let same = known.get(&draft.subject).copied();
        let same = same.or_else(|| draft.most_alike(vector?, others, &settings));
        let id = same.unwrap_or_else(|| TensionId(engine.ids.next()));
        known.insert(draft.subject.clone(), id);
        if same.is_none() {
            others.extend(vector.map(|vector| draft.candidate(id, vector.clone())));
        }
        placed.push(PlacedTension { number, id, is_new: same.is_none(), draft });
    }
    Ok(placed)
}

/// Returns whether the words of a found tension can be shown.
pub fn is_usable(found: &FoundTension) -> bool {
    let statement = found.statement.trim();
    let is_known_theme = Taxonomy::shared().theme(&found.theme).is_some();
    is_known_theme && !statement.is_empty() && Response::is_complete(found.title.trim(), &[statement])
}

/// Returns the evidence of a found tension: given claims by their numbers, and quotes of pages that were read.
async fn evidence_of(
    engine: &Engine,
    scope: &Scope,
    basis: FindingBasis<'_>,
    found: &FoundTension,
) -> StoreResult<Vec<Evidence>> {
    let today = day_number(engine.clock.now());
    let evidence = |claim: ClaimId, document: DocumentId, origin: String, day: EvidenceDay| Evidence {
        claim,
        document,
        origin,
        is_against: false,
        severity: found.severity,
        day,
    };
    let given = found.claims.iter().filter_map(|number| basis.claims.get(number.checked_sub(1)?));
    let mut rows: Vec<Evidence> = given.map(|one| evidence(one.claim, one.document, one.origin.clone(), one.day)).collect();
    for quote in &found.quotes {
        if let Some(quote) = basis.pages.claim_of_quote(engine, scope, quote).await? {
            let document = &quote.document.document;
            rows.push(evidence(quote.claim, document.id, document.text_sha256.clone(), document_day(document).until(today)));
        }
    }
    Ok(rows)
}

/// Returns the day of a document: of its publication, else of its capture.
pub fn document_day(document: &Document) -> EvidenceDay {
    let published = document.published.map(|published| EvidenceDay::dated(day_number(published.value)));
    published.unwrap_or_else(|| EvidenceDay::captured(document.captured_at))
}

/// Replaces the origins of evidence by the texts that lead them; returns these for all texts that are connected with the
/// evidence.
async fn lead_origins(engine: &Engine, scope: &Scope, drafts: &mut [TensionDraft]) -> StoreResult<BTreeMap<String, String>> {
    let texts: BTreeSet<String> =
        drafts.iter().flat_map(|draft| &draft.evidence).map(|evidence| evidence.origin.clone()).collect();
    let leaders = origins::find_connected(&*engine.documents, scope, &engine.config.origins, &texts).await?;
    drafts.iter_mut().for_each(|draft| draft.lead_origins(&leaders));
    Ok(leaders)
}
