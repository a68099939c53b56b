//! View models of the dashboard and of the page for a new investigation.

use super::{VisibleScope, may_stop, teams::access, visit_changes::changes};
use crate::{
    Engine, StoreResult,
    assessments::{AssessmentOrder, AssessmentQuery, StoredSummary},
    fetch::sources::{self, SourceQueryError},
    investigations::{ArchiveFilter, InvestigationFilter, InvestigationOrder},
    library::DocumentQuery,
    teams,
};
use domain::{
    AssessmentId, CollectionId, DocumentId, InvestigationId, QueryLimits, Scope, Timestamp,
    annotation::{AnnotationSubject, Tag},
    assessment::AssessmentState,
    fetch::{Availability, KeyUse, SourceEntry},
    investigation::{Investigation, Period, ProgressSummary, Status, WebAccess},
    user::{Action, User},
};
use std::collections::{BTreeMap, BTreeSet};
use views::{
    AssessmentCard, AssessmentList, CollectionChoice, Dashboard, EarlierQuestion, InvestigationCard, ListFilter,
    NewInvestigationView, Ownership, RejectedPage, SourceChoice, teams::Access,
};

/// Owner and visibility by investigation.
type Accesses = BTreeMap<InvestigationId, Access>;

impl Engine {
    /// Returns the newest assessments that match a filter, and investigations without one. A filtered list is no visit: it has neither
    /// the steps of the first start nor what changed.
    pub async fn dashboard(
        &self,
        viewer: &User,
        mut filter: ListFilter,
        only: Option<Vec<AssessmentId>>,
    ) -> StoreResult<Dashboard> {
        filter.query = self.search.query.text(&filter.query).into_string();
        let visible = self.listed(viewer).await?;
        let is_filtered = filter != ListFilter::default();
        let wanted = assessment_query(self.search.query, viewer, &filter, 0, self.config.pages.home_assessments);
        let wanted = AssessmentQuery { only, ..wanted };
        let found = self.assessments.latest(&visible.listed(filter.hides_sample), &wanted).await?;
        let total = found.total;
        let Unfinished { open, open_total, failed, failed_total } = self.unfinished(viewer, &visible).await?;
        let of_assessments = found.assessments.iter().map(|stored| stored.summary.investigation_id);
        let ids = of_assessments.chain(open.iter().chain(&failed).map(|investigation| investigation.id)).collect::<Vec<_>>();
        let mut accesses = self.accesses(viewer, &ids).await?;
        let mut assessments = self.cards(&visible, found.assessments, &accesses).await?;
        // What a language model wrote on the sample shows what the product can do; the same by rules comes after all others.
        assessments.sort_by_key(|card| card.is_sample && !card.is_recorded);
        let running = self.with_progress(viewer, &visible, open, &mut accesses).await?;
        let card = |investigation: Investigation| {
            let access = accesses.remove(&investigation.id);
            investigation_card(viewer, &visible, investigation, None, access)
        };
        let failed: Vec<_> = failed.into_iter().map(card).collect();
        let documents = self.documents.list(&visible.without_sample(), &DocumentQuery::default()).await?.total;
        let shows_steps = !is_filtered && !viewer.preferences.setup_dismissed && viewer.role.may(Action::Investigate);
        let setup = if shows_steps { Some(self.setup_steps(viewer, documents, &assessments).await?) } else { None };
        let since = if is_filtered { None } else { self.record_visit(viewer).await?.before };
        Ok(Dashboard {
            since_visit: since.map(|since| changes(since, &assessments, &failed)),
            collections: self.collection_names(&visible, filter.collection),
            has_sample: !visible.samples.is_empty(),
            assessments,
            total,
            filter,
            running,
            running_total: open_total,
            failed,
            failed_total,
            setup,
            documents,
            now: self.clock.now(),
        })
    }

    /// Returns page `page` (from 1) of the assessments that match a filter, of those in `only` if given.
    pub async fn assessment_list(
        &self,
        viewer: &User,
        mut filter: ListFilter,
        only: Option<Vec<AssessmentId>>,
        page: u64,
    ) -> StoreResult<AssessmentList> {
        filter.query = self.search.query.text(&filter.query).into_string();
        let visible = self.listed(viewer).await?;
        let limit = self.config.pages.dashboard_assessments;
        let (page, per_page) = (page.max(1), u64::from(limit));
        let wanted = assessment_query(self.search.query, viewer, &filter, (page - 1).saturating_mul(per_page), limit);
        let wanted = AssessmentQuery { only, ..wanted };
        let found = self.assessments.latest(&visible.listed(filter.hides_sample), &wanted).await?;
        let total = found.total;
        let ids: Vec<_> = found.assessments.iter().map(|stored| stored.summary.investigation_id).collect();
        let accesses = self.accesses(viewer, &ids).await?;
        let mut assessments = self.cards(&visible, found.assessments, &accesses).await?;
        let subjects: Vec<AnnotationSubject> = assessments.iter().map(|card| card.id.into()).collect();
        for (subject, tag) in self.annotations.tags_of(&subjects).await? {
            if let Some(card) = assessments.iter_mut().find(|card| subject == card.id.into()) {
                card.tags.push(tag);
            }
        }
        let has_sample = !visible.samples.is_empty() && !viewer.preferences.hides_sample;
        let collections = self.collection_names(&visible, filter.collection);
        let now = self.clock.now();
        Ok(AssessmentList { assessments, total, page, per_page, filter, collections, has_sample, now })
    }

    /// Returns owner and visibility of investigations, in one statement.
    async fn accesses(&self, viewer: &User, ids: &[InvestigationId]) -> StoreResult<Accesses> {
        let found = self.access_of(viewer, ids).await?;
        Ok(found.into_iter().map(|(id, found)| (id, access(viewer, found))).collect())
    }

    async fn cards(
        &self,
        visible: &VisibleScope,
        stored: Vec<StoredSummary>,
        accesses: &Accesses,
    ) -> StoreResult<Vec<AssessmentCard>> {
        let cited: BTreeSet<DocumentId> = stored.iter().flat_map(|one| one.summary.documents.iter().copied()).collect();
        let findings = self.captures.findings(&visible.scope, &Vec::from_iter(cited)).await?;
        let changed: BTreeMap<DocumentId, Timestamp> =
            findings.into_iter().map(|finding| (finding.document_id, finding.at)).collect();
        // Cloned: a complete and a partial assessment may be of one investigation.
        let today = self.clock.now().to_datetime().format("%Y-%m-%d").to_string();
        let card = |one: StoredSummary| {
            let access = accesses.get(&one.summary.investigation_id).cloned();
            card(visible, one, &changed, access, &today)
        };
        Ok(stored.into_iter().map(card).collect())
    }

    /// Returns investigation cards with their progress.
    async fn with_progress(
        &self,
        viewer: &User,
        visible: &VisibleScope,
        investigations: Vec<Investigation>,
        accesses: &mut Accesses,
    ) -> StoreResult<Vec<InvestigationCard>> {
        let ids: Vec<_> = investigations.iter().map(|investigation| investigation.id).collect();
        let summaries = if ids.is_empty() { BTreeMap::new() } else { self.investigations.progress_summaries(&ids).await? };
        let cards = investigations.into_iter().map(|investigation| {
            let progress = summaries.get(&investigation.id).copied().unwrap_or_default();
            let access = accesses.remove(&investigation.id);
            investigation_card(viewer, visible, investigation, Some(progress), access)
        });
        Ok(cards.collect())
    }

    /// Returns the library size available to `viewer`, without the sample, and page `page` of the unreadable files of the failed
    /// upload `unread`. `folders`: names of the folders on the server that can be read. `follows`: the question that is continued.
    pub async fn new_investigation_view(
        &self,
        viewer: &User,
        folders: Vec<String>,
        (unread, page): (Option<InvestigationId>, u64),
        follows: Option<InvestigationId>,
    ) -> StoreResult<NewInvestigationView> {
        let visible = self.visible(viewer).await?;
        let rejected = match unread {
            Some(id) => self.rejected_page(&visible.scope, Some(id), page).await?,
            None => RejectedPage::default(),
        };
        let earlier = match follows {
            Some(id) => self.visible_investigation(viewer, &visible.scope, id).await?,
            None => None,
        };
        let readers = match &earlier {
            Some(earlier) if earlier.owner == viewer.id => {
                self.teams.access(&[earlier.id], viewer.id).await?.remove(&earlier.id)
            }
            _ => None,
        };
        let own = visible.without_sample();
        // As `investigations::start` decides: what others opened to a team does not keep a question off the web.
        let is_private = |id: &CollectionId| matches!(visible.ownership(*id), Ownership::Yours);
        let private = own.collections().iter().copied().filter(is_private);
        let private = Scope::new(private.collect());
        // A question reads the documents of a team only where they are chosen.
        let is_lent = |id: &CollectionId| matches!(visible.ownership(*id), Ownership::Team);
        let read = Scope::new(own.collections().iter().copied().filter(|id| !is_lent(id)).collect());
        Ok(NewInvestigationView {
            documents: self.documents.list(&read, &DocumentQuery::default()).await?.total,
            web: if self.config.web.enabled { WebAccess::On } else { WebAccess::Off },
            // A question that continues another takes its choice along.
            has_private_files: earlier.is_none() && self.documents.has_files(&private).await?,
            collections: self.choices(&visible, &own),
            sources: self.source_choices(viewer).await?,
            earlier: earlier.map(|earlier| EarlierQuestion {
                terms: earlier.terms,
                collections: earlier.scope.collections().to_vec(),
                web: earlier.web,
                model: earlier.model,
                visibility: readers.map(|access| access.visibility),
            }),
            folders,
            rejected,
            teams: teams::choices(self, viewer).await?,
            visibility: self.config.pages.visibility,
        })
    }

    /// Returns the sources that a question searches; for those who may switch them, also those that are off and need no key.
    async fn source_choices(&self, viewer: &User) -> StoreResult<Vec<SourceChoice>> {
        if !self.config.web.enabled {
            return Ok(vec![]);
        }
        let known = match sources::list(self).await {
            Ok(known) => known,
            Err(SourceQueryError::Refused(_) | SourceQueryError::Unknown(_)) => vec![],
            Err(SourceQueryError::Store(error)) => return Err(error),
        };
        let may_switch = viewer.role.may(Action::Configure);
        let is_offered = |entry: &SourceEntry| match entry.availability {
            Availability::Ready => true,
            Availability::Off => may_switch && entry.key != KeyUse::Required,
            Availability::NeedsKey | Availability::NeedsContact | Availability::NeedsAddress => false,
        };
        let offered = known.into_iter().map(|(entry, _)| entry).filter(is_offered);
        let choice = |entry: SourceEntry| {
            let is_on = entry.availability == Availability::Ready;
            SourceChoice { id: entry.id, name: entry.name, is_on }
        };
        Ok(offered.map(choice).collect())
    }

    /// Returns the collections that a question can be limited to: the newest of those in `own`.
    fn choices(&self, visible: &VisibleScope, own: &Scope) -> Vec<CollectionChoice> {
        let newest = own.collections().iter().rev().take(self.config.pages.collection_choices as usize);
        let choices = newest.filter_map(|id| {
            let name = visible.names.get(id)?.clone();
            Some(CollectionChoice { id: *id, name, ownership: visible.ownership(*id) })
        });
        choices.collect()
    }

    /// Returns the newest investigations without an assessment: in one statement, unless there are more than home lists.
    async fn unfinished(&self, viewer: &User, visible: &VisibleScope) -> StoreResult<Unfinished> {
        let limit = self.config.pages.dashboard_investigations;
        let open: Vec<Status> = Status::ALL.into_iter().filter(|status| !status.is_terminal()).collect();
        let of_statuses = |statuses: &[Status]| InvestigationFilter {
            archived: ArchiveFilter::Current,
            owner: Some(viewer.id),
            scope: Some(visible.scope.clone()),
            statuses: statuses.to_vec(),
            without_assessment: true,
            text: None,
            period: Period::default(),
            order: InvestigationOrder::NewestFirst,
            limit,
        };
        let every = of_statuses(&[&open[..], &[Status::Failed]].concat());
        let every = InvestigationFilter { limit: limit.saturating_add(1), ..every };
        let newest = self.investigations.list(&every).await?;
        if newest.len() <= limit as usize {
            let (failed, open): (Vec<_>, Vec<_>) = newest.into_iter().partition(has_failed);
            return Ok(Unfinished { open_total: open.len() as u64, failed_total: failed.len() as u64, open, failed });
        }
        let counted = self.investigations.count_filtered(&every).await?;
        let total = |is_wanted: fn(Status) -> bool| {
            counted.iter().filter(|(status, _)| is_wanted(*status)).map(|(_, number)| number).sum::<u64>()
        };
        Ok(Unfinished {
            open: self.investigations.list(&of_statuses(&open)).await?,
            open_total: total(|status| status != Status::Failed),
            failed: self.investigations.list(&of_statuses(&[Status::Failed])).await?,
            failed_total: total(|status| status == Status::Failed),
        })
    }
}

/// The newest investigations without an assessment, and the numbers of all.
struct Unfinished {
    open: Vec<Investigation>,
    open_total: u64,
    failed: Vec<Investigation>,
    failed_total: u64,
}

fn has_failed(investigation: &Investigation) -> bool {
    investigation.progress.status == Status::Failed
}

/// Returns the query of a filter for `limit` assessments after the first `offset`.
fn assessment_query(limits: QueryLimits, viewer: &User, filter: &ListFilter, offset: u64, limit: u32) -> AssessmentQuery {
    AssessmentQuery {
        text: limits.some_text(&filter.query),
        owner: filter.is_mine.then_some(viewer.id),
        archived: if filter.is_archived { ArchiveFilter::Archived } else { ArchiveFilter::Current },
        visibility: filter.visibility,
        tag: Tag::parse(&filter.tag),
        states: states(filter),
        collection: filter.collection,
        only: None,
        period: filter.period,
        order: if filter.is_oldest_first { AssessmentOrder::OldestFirst } else { AssessmentOrder::NewestFirst },
        offset,
        limit,
    }
}

/// Returns the states that a filter selects, if it selects any.
fn states(filter: &ListFilter) -> Option<Vec<AssessmentState>> {
    let is_selected = |state: &AssessmentState| {
        filter.state.is_none_or(|one| one == *state) && filter.kind.is_none_or(|kind| kind == state.kind())
    };
    (filter.state.is_some() || filter.kind.is_some()).then(|| AssessmentState::ALL.into_iter().filter(is_selected).collect())
}

/// Builds a card; `changed` are cited pages that have changed.
fn card(
    visible: &VisibleScope,
    stored: StoredSummary,
    changed: &BTreeMap<DocumentId, Timestamp>,
    access: Option<Access>,
    today: &str,
) -> AssessmentCard {
    let StoredSummary { summary, collections, is_partial, created_at } = stored;
    let changes = || summary.documents.iter().filter_map(|id| changed.get(id));
    let (found_later, changed_at) = (changes().count(), changes().max().copied());
    AssessmentCard {
        id: summary.id,
        investigation_id: summary.investigation_id,
        state: summary.state,
        answered_parts: summary.answered_parts,
        kind: summary.kind,
        bottom_line: summary.bottom_line,
        question: summary.question,
        title: summary.title,
        judgement: summary.judgement,
        confidence: summary.confidence,
        citations: summary.citations,
        documents: summary.documents.len(),
        // Days are written `YYYY-MM-DD`, so that texts compare like days.
        due: summary.due.into_iter().find(|day| day.as_str() >= today),
        is_recorded: summary.is_recorded,
        found_later,
        changed_at,
        is_partial,
        is_sample: collections.iter().any(|collection| visible.is_sample(*collection)),
        access,
        tags: vec![],
        created_at,
    }
}

fn investigation_card(
    viewer: &User,
    visible: &VisibleScope,
    investigation: Investigation,
    progress: Option<ProgressSummary>,
    access: Option<Access>,
) -> InvestigationCard {
    InvestigationCard {
        id: investigation.id,
        may_stop: !investigation.progress.status.is_terminal() && may_stop(viewer, &investigation),
        question: investigation.question,
        status: investigation.progress.status,
        reason: investigation.reason,
        progress,
        is_sample: visible.is_sample(investigation.collection_id),
        owner: access.filter(|access| !access.is_mine).map(|access| access.owner_name),
        created_at: investigation.created_at,
        ended_at: investigation.completed_at,
    }
}
