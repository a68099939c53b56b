//! One assessment in four tabs: the brief, the analysis, its evidence, and the work behind it.

mod analysis;
mod brief;
mod evidence;
mod print;

use super::{Visit, id_in_path, number, query, render_page, typed_remark};
use crate::{
    atoms::{HeldPanels, PartBadges},
    parts::{
        ReaderNotes, ReadersNotice, TypedRemark,
        assessment::{
            AnnotationNotice, Answers, BasisLine, ChangeNote, CheckList, Colophon, DissentNote, EvidenceFilter, Period,
            ReportActions, ReportCrumbs, Thread, Unknown, WhoIsHit, Why, WouldFlip,
        },
    },
    prelude::*,
};
use analysis::Analysis;
use brief::Brief;
use domain::{
    agent::AgentRole,
    annotation::Annotations,
    assessment::{
        AnalyticConfidence, AssessmentKind, BeliefChange, Digest, InformationPeriod, Producer, QuestionScope, SourceStatement,
    },
    document::Document,
    fetch::PageFinding,
    investigation::FollowKind,
};
use evidence::Evidence;
pub use print::{PrintForm, printed_body};
use std::collections::BTreeSet;
use views::FollowedReport;

/// The Markdown of an assessment as safe HTML.
#[derive(Debug, Clone)]
pub(super) struct Html {
    pub analysis: String,
    /// Of an evidence brief: the bottom line of an assessment is text.
    pub bottom_line: String,
}

impl Html {
    pub fn new(assessment: &Assessment) -> Self {
        let markers = assessment.markers();
        let html = |markdown: &str| crate::markdown::analysis(markdown, &markers);
        let bottom_line = match assessment.kind {
            AssessmentKind::Assessment => String::new(),
            AssessmentKind::EvidenceBrief => html(&assessment.body.bottom_line),
        };
        Self { analysis: html(&assessment.body.analysis), bottom_line }
    }
}

/// Additions of single tabs to the report.
#[derive(Debug, Clone, Default)]
pub(super) struct Extras {
    /// Documents that were read and that no citation uses; of the view that lists them.
    pub unused: Vec<Document>,
    /// Change since the previous version.
    pub change: Option<BeliefChange>,
    /// Question that the report continues in other words.
    pub followed: Option<FollowedReport>,
    /// A language model is connected, with which the question could be asked again.
    pub has_model: bool,
    /// Maximum length of a question, in characters.
    pub max_question_chars: usize,
    pub typed: TypedRemark,
}

type Page = (AssessmentView, Html, Extras);

async fn load_assessment(id: String, tab: Tab, shown: EvidenceView) -> Result<Visit<Page>, AppError> {
    let (engine, viewer) = crate::session::viewer().await?;
    let Ok(id) = id.parse() else { return Err(AppError::not_found("assessment")) };
    let without = |view: Option<AssessmentView>| view.map(|view| (view, vec![]));
    let found = match (tab, shown) {
        (Tab::Evidence, EvidenceView::Unused) => engine.unused_view(&viewer, id).await?,
        (Tab::Work, _) => without(engine.assessment_work_view(&viewer, id).await?),
        (Tab::Brief | Tab::Analysis | Tab::Evidence, _) => without(engine.assessment_view(&viewer, id).await?),
    };
    let (mut view, unused) = found.ok_or_else(|| AppError::not_found("assessment"))?;
    if (tab, shown) == (Tab::Evidence, EvidenceView::Origins) {
        view = engine.with_outlet_records(&viewer, view).await?;
    }
    let html = Html::new(&view.assessment);
    let (change, followed) = match tab {
        Tab::Brief => (engine.version_change(&viewer, &view).await?, engine.followed_report(&viewer, &view).await?),
        Tab::Analysis | Tab::Evidence | Tab::Work => (None, None),
    };
    let typed = typed_remark(viewer.id).await;
    let max_question_chars = engine.config.max_question_chars;
    let has_model = engine.models_seen().has_language_model(AgentRole::Analyst);
    let extras = Extras { unused, change, followed, has_model, max_question_chars, typed };
    Ok(Visit { viewer, page: (view, html, extras) })
}

/// The brief: answers, reasons and gaps within a minute.
#[component]
pub fn AssessmentPage() -> impl IntoView {
    tab_page(Tab::Brief)
}

/// The reasoning in full; of an evidence brief, its Brief.
#[component]
pub fn AnalysisPage() -> impl IntoView {
    tab_page(Tab::Analysis)
}

/// Everything that the brief rests on.
#[component]
pub fn EvidencePage() -> impl IntoView {
    tab_page(Tab::Evidence)
}

/// The work behind the assessment.
#[component]
pub fn WorkPage() -> impl IntoView {
    tab_page(Tab::Work)
}

fn tab_page(tab: Tab) -> impl IntoView {
    let field = |name| query(name).unwrap_or_default();
    let filter = EvidenceFilter {
        outlet: field("outlet"),
        attribution: field("attribution"),
        from: field("from"),
        until: field("until"),
        words: field("q"),
        bears: field("bears"),
    };
    let shown = EvidenceView::from_query(&field("view"));
    let answer = VisibilityAnswer::new(query("error"), query("visibility"), query("saved").is_some());
    let (notes_page, page) = (number("notes") as usize, number("page") as usize);
    render_page(load_assessment(id_in_path(), tab, shown), move |Visit { viewer, page: (view, html, extras) }| {
        view! { <PageBody viewer view html tab filter shown extras answer notes_page page /> }.into_any()
    })
}

#[component]
pub(super) fn PageBody(
    viewer: User,
    view: AssessmentView,
    html: Html,
    tab: Tab,
    #[prop(optional)] filter: EvidenceFilter,
    /// View of the Evidence tab.
    #[prop(optional)]
    shown: EvidenceView,
    #[prop(optional)] extras: Extras,
    #[prop(optional)] answer: VisibilityAnswer,
    /// Page of the notes, from 1.
    #[prop(default = 1)]
    notes_page: usize,
    /// Page of the citations, from 1.
    #[prop(default = 1)]
    page: usize,
) -> impl IntoView {
    ReportContext::new(&viewer, &view).provide();
    let title = tab.title(&view.assessment.body.title);
    let kind = view.assessment.kind;
    let may_ask = viewer.role.may(Action::Investigate);
    let next = NextModel { may_ask, may_connect: viewer.role.may(Action::Configure), has_model: extras.has_model };
    let typed = extras.typed;
    let (report, thread) = (view.assessment.id, view.thread.clone());
    let (reader, is_admin) = (viewer.id, viewer.role == Role::Admin);
    let Annotations { tags, own_tags, notes, .. } = view.annotations.clone();
    let (may_manage, is_archived) = (view.may_manage, view.is_archived);
    let actions = view! {
        <ReportActions
            view=view.clone()
            viewer=viewer.clone()
            max_chars=extras.max_question_chars
            answer=answer.clone()
        />
    };
    let content = match (tab, kind) {
        (Tab::Brief, AssessmentKind::Assessment) => view! { <FullBrief view next /> }.into_any(),
        (Tab::Brief | Tab::Analysis, AssessmentKind::EvidenceBrief) => view! { <Brief view html next /> }.into_any(),
        (Tab::Analysis, AssessmentKind::Assessment) => view! { <Analysis view html /> }.into_any(),
        (Tab::Evidence, _) => view! { <Evidence view html filter shown unused=extras.unused page /> }.into_any(),
        (Tab::Work, _) => view! { <Work view /> }.into_any(),
    };
    let class = match (tab, kind) {
        (Tab::Evidence, _) | (Tab::Analysis, AssessmentKind::Assessment) => "product",
        (Tab::Brief, AssessmentKind::Assessment) => "product product-narrow product-brief",
        _ => "product product-narrow",
    };
    view! {
        <Title text=title />
        <Frame viewer nav=NavItem::Assessments>
            <div class="report-bar">
                <ReportCrumbs id=report lines=thread.clone() change=extras.change followed=extras.followed />
                {actions}
            </div>
            <ReadersNotice answer />
            {is_archived.then(|| view! { <p class="notice" role="note">"Archived: this assessment is not listed or found by search."</p> })}
            <article class=class>{content}</article>
            <Thread id=report lines=thread />
            <ReaderNotes
                subject=report
                viewer=reader
                is_admin
                may_tidy=may_manage
                tags
                own_tags
                notes
                notes_page
                tab=tab.segment()
                typed
            />
        </Frame>
    }
    .into_any()
}

#[component]
fn FullBrief(view: AssessmentView, next: NextModel) -> impl IntoView {
    let known = KnownMarkers::new(view.assessment.markers());
    let assessment = view.assessment.clone();
    let (id, citations) = (assessment.id, assessment.citations.clone());
    let (findings, count, closed) = (view.findings.clone(), citations.len(), view.closed.clone());
    let digest = Digest::new(&assessment);
    let (minutes, held) = (digest.minutes_to_read(), hold_panels(id, digest.markers(&assessment)));
    view! {
        <Head view known=known.clone() next minutes />
        <Tabs id current=Tab::Brief citations=count />
        <AnnotationNotice />
        <BriefLists digest assessment known />
        <EvidencePanels citations findings closed held />
    }
}

/// The citations whose panels a Brief holds: those that stand open on it. Its folds cite up to a hundred more, which would be most of
/// the weight of its page, so their links lead to the Evidence tab.
fn hold_panels(id: AssessmentId, markers: BTreeSet<Marker>) -> KnownMarkers {
    let markers = KnownMarkers::new(markers);
    provide_context(HeldPanels { markers: markers.clone(), others: Tab::Evidence.address(id).into() });
    markers
}

/// The brief below its head: what changed, what it rests on, the answers and their reasons, and what is open beside them.
#[component]
fn BriefLists(digest: Digest, assessment: Assessment, known: KnownMarkers) -> impl IntoView {
    let Digest { basis, reasons, objection, flips, impacts, gaps, settled, .. } = digest;
    let Assessment { body, citations, dissent, .. } = assessment;
    let dissent = dissent.map(|dissent| view! { <DissentNote dissent body=body.clone() /> });
    view! {
        <ChangeNote change=body.change.clone() settled known=known.clone() />
        <BasisLine line=basis known=known.clone() />
        <div class="brief-columns">
            <div>
                <Answers body=body.clone() citations known=known.clone() />
                <Why reasons objection known=known.clone() />
                {dissent}
            </div>
            <div>
                <WouldFlip flips known=known.clone() />
                <WhoIsHit impacts body known=known.clone() />
                <Unknown gaps known />
            </div>
        </div>
    }
}

#[component]
fn Work(view: AssessmentView) -> impl IntoView {
    let (assessment, created_at) = (view.assessment.clone(), view.created_at);
    let Assessment { id, investigation_id, checks, .. } = view.assessment.clone();
    let is_priced = assessment.cost.amount.is_some();
    let spent = view.spent.as_ref().map(|spent| format::spend_if_priced(spent, &view.currency, is_priced));
    let (citations, sees_records) = (assessment.citations.len(), view.sees_records);
    view! {
        <ShortHead view />
        <Tabs id current=Tab::Work citations />
        <p class="exports">
            <a class="button outline" href=format!("/investigations/{investigation_id}")>"Plan, reading tasks and activity"</a>
            {sees_records.then(|| view! { <a class="button outline" href=format!("/investigations/{investigation_id}/sessions")>"Agent log"</a> })}
            {spent.map(|spent| view! { <span>"The investigation used " {spent}</span> })}
        </p>
        {checks.map(|checks| view! { <CheckList checks /> })}
        <Colophon assessment created_at />
    }
}

/// Note about cited pages that have changed.
#[component]
fn ChangedPagesNotice(id: AssessmentId, findings: Vec<PageFinding>) -> impl IntoView {
    let href = format!("{}?view=list#citations", Tab::Evidence.address(id));
    changed_pages(&findings).map(|text| view! { <p class="notice" role="note"><a href=href>{text}</a> "."</p> })
}

/// Words for the number of cited pages that have changed; none where there are none.
fn changed_pages(findings: &[PageFinding]) -> Option<String> {
    match findings.len() as u64 {
        0 => None,
        1 => Some("1 cited page no longer fits its citation".to_owned()),
        count => Some(format!("{} cited pages no longer fit their citations", format::grouped(count))),
    }
}

/// The state, the answer, how sure, and the exports.
#[component]
fn Head(
    view: AssessmentView,
    known: KnownMarkers,
    next: NextModel,
    /// Minutes to read the brief.
    minutes: u64,
) -> impl IntoView {
    let evidence = view.assessment.evidence_period();
    let Assessment { id, question, body, producer, sources, .. } = view.assessment.clone();
    let (is_title, heading) = (view.assessment.repeats_question(), view.assessment.heading().to_owned());
    let way = producer.is_rule_based().then(|| next.way_from(&view.assessment));
    view! {
        <header class="product-head brief-head">
            <p class="overline"><PartBadges parts=view.assessment.parts() /></p>
            <h1>{heading}</h1>
            <p class="bottom-line"><MarkedText text=body.bottom_line known=known.clone() /></p>
            {view.is_partial.then(|| view! { <p class="notice" role="note">"Partial report: written without a model after a failure."</p> })}
            <ChangedPagesNotice id findings=view.findings.clone() />
            {(!is_title).then(|| view! { <QuestionLine text=question /> })}
            <Dates
                created_at=view.created_at
                evidence
                sources
                scope=view.assessment.scope.clone()
                as_of=body.argument.as_of.clone()
                author=author(&producer)
                minutes
                is_sample=view.is_sample
            />
            {way.map(|way| view! { <p class="product-dates"><span>"Compiled by rules, no language model. " {way}</span></p> })}
            <div class="product-facts">
                {body.overall_confidence.map(|AnalyticConfidence { level, basis }| view! {
                    <details class="confidence">
                        <summary><span class="muted">"Confidence "</span><ConfidenceMark level /></summary>
                        <p><MarkedText text=basis known /></p>
                    </details>
                })}
            </div>
        </header>
    }
    .into_any()
}

/// The model that wrote a report, as readers see it.
fn author(producer: &Producer) -> String {
    if producer.is_recorded() { format!("{}, played back", producer.model) } else { producer.model.clone() }
}

/// Ways to a report by a language model.
#[derive(Debug, Clone, Copy)]
struct NextModel {
    may_ask: bool,
    may_connect: bool,
    has_model: bool,
}

impl NextModel {
    /// Returns the way from a report that rules wrote to one by a model; none where only others may ask it.
    fn way_from(self, assessment: &Assessment) -> Option<AnyView> {
        let again = format!(
            "/investigations/new?follows={}&kind={}&draft={}",
            assessment.investigation_id,
            FollowKind::Rerun.as_str(),
            format::percent_encoded(&assessment.question)
        );
        match self {
            Self { has_model: true, may_ask: true, .. } => {
                Some(view! { <a class="run-again" href=again>"Run again with a model"</a> }.into_any())
            }
            Self { has_model: true, .. } => None,
            Self { may_connect: true, .. } => Some(view! { <a href="/settings">"Open the settings"</a> }.into_any()),
            _ => Some("An administrator can add one".into_any()),
        }
    }
}

/// Title and the state of each part of the question, above the other tabs.
#[component]
fn ShortHead(view: AssessmentView) -> impl IntoView {
    view! {
        <header class="product-head">
            <p class="overline"><PartBadges parts=view.assessment.parts() /> <SampleBadge is_shown=view.is_sample /></p>
            <h1>{view.assessment.heading().to_owned()}</h1>
        </header>
    }
}

/// When it was written and by which model, the days of the cited documents, and how much of it there is.
#[component]
fn Dates(
    created_at: Timestamp,
    evidence: InformationPeriod,
    sources: Option<SourceStatement>,
    scope: Option<QuestionScope>,
    /// The last day until which the author looked.
    #[prop(optional_no_strip)]
    as_of: Option<String>,
    #[prop(optional, into)] author: String,
    /// Minutes to read the brief.
    #[prop(optional)]
    minutes: u64,
    is_sample: bool,
) -> impl IntoView {
    let sources = sources.map(|SourceStatement { documents_read, documents_cited, .. }| {
        let documents = format::count(documents_read, "document", "documents");
        format!("{documents} consulted, {} cited", format::grouped(documents_cited))
    });
    view! {
        <p class="product-dates">
            {is_sample.then(|| view! { <span title="Invented documents that come with AutOSINT">"Sample"</span> })}
            <span>"Written " <time datetime=created_at.to_string()>{format::minute(created_at)}</time></span>
            {as_of.map(|day| view! { <span>"As of " <WrittenDay text=day /></span> })}
            {(!author.is_empty()).then(|| view! { <span>"by " {author}</span> })}
            {evidence.until.is_some().then(|| view! { <span>"Evidence: " <Period period=evidence /></span> })}
            {sources.map(|text| view! { <span>{text}</span> })}
            {(minutes > 0).then(|| view! { <span>{minutes} " min read"</span> })}
            {scope.map(|scope| view! { <span>{scope.sentence()}</span> })}
        </p>
    }
}
