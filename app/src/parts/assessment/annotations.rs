//! Annotations beside the parts of a report: contested ratings, excluded and copied citations.

use super::{ReportContext, Tab};
use crate::{atoms::ActionButton, prelude::*};
use domain::{
    annotation::{Annotations, Contest, ContestedItem, Exclusion, NOTES_PER_PAGE},
    assessment::CitationUse,
};

/// The address of the page that contests a rating or excludes a citation.
pub fn contest_address(id: AssessmentId, item: &ContestedItem) -> String {
    format!("/assessments/{id}/contest?item={item}")
}

/// Contests of a rating with the link that adds one; nothing where the author gave no rating.
#[component]
pub fn Contests(item: ContestedItem) -> impl IntoView {
    contests(item)
}

fn contests(item: ContestedItem) -> Option<AnyView> {
    let context = ReportContext::of_page()?;
    item.original(&context.assessment)?;
    let contests = context.annotations.contests_of(&item);
    let label = format!("Contest the rating of {item}");
    let href = contest_address(context.id, &item);
    Some(
        view! {
            <div class="contests">
                <ContestList id=context.id viewer=context.viewer.id contests />
                <a class="contest-link" href=href aria-label=label>"Contest"</a>
            </div>
        }
        .into_any(),
    )
}

/// Contests with name, date and reason; the viewer's own can be withdrawn.
#[component]
pub fn ContestList(id: AssessmentId, viewer: UserId, contests: Vec<Contest>) -> impl IntoView {
    let more = contests.len().saturating_sub(NOTES_PER_PAGE);
    let items = contests.into_iter().skip(more).map(|Contest { id: contest, value, reason, by, name, at, item }| {
        let withdraw = (by == viewer).then(|| {
            let (action, label) = (format!("/assessments/{id}/contest/withdraw"), format!("Withdraw your rating of {item}"));
            view! { <ActionButton action fields=vec![("contest", contest.to_string())] text="Withdraw" label /> }
        });
        view! {
            <li>
                <p><strong>{name} " says " {value.words()}</strong> ", " {format::day(at)} ": " {reason}</p>
                {withdraw}
            </li>
        }
    });
    let items: Vec<_> = items.collect();
    let more = (more > 0).then(|| view! { <p class="muted">{format!("{more} earlier not shown")}</p> });
    (!items.is_empty()).then(|| view! { <ul class="contest-list" aria-label="Contested">{items}</ul> {more} })
}

/// Uses of a citation, its words for copying, and the way to exclude or contest it.
#[component]
pub fn CitationActions(citation: Citation) -> impl IntoView {
    citation_actions(citation)
}

fn citation_actions(citation: Citation) -> Option<AnyView> {
    let context = ReportContext::of_page()?;
    let marker = citation.marker;
    let uses = context.uses.get(&marker).cloned().unwrap_or_default();
    let exclusion = context.annotations.exclusions.iter().find(|one| one.marker == marker).cloned();
    let item = ContestedItem::Credibility(marker);
    let may_contest = item.original(&context.assessment).is_some();
    let text = match (may_contest, context.may_exclude) {
        (true, true) => Some("Contest or exclude"),
        (true, false) => Some("Contest"),
        (false, true) => Some("Exclude"),
        (false, false) => None,
    };
    let href = contest_address(context.id, &item);
    Some(
        view! {
            <div class="citation-actions">
                {exclusion.map(|one| view! { <Excluded id=context.id exclusion=one may_include=context.may_exclude /> })}
                <UsedIn id=context.id uses />
                <ContestList id=context.id viewer=context.viewer.id contests=context.annotations.contests_of(&item) />
                <CopyCitation id=context.id citation />
                {text.map(|text| view! { <a class="contest-link" href=href>{text} <span class="hidden">" citation " {marker}</span></a> })}
            </div>
        }
        .into_any(),
    )
}

#[component]
fn UsedIn(id: AssessmentId, uses: Vec<CitationUse>) -> impl IntoView {
    (!uses.is_empty()).then(|| {
        let links = uses.into_iter().map(|CitationUse { place, anchor }| {
            view! { <a class="used" href=format!("{}#{anchor}", Tab::Analysis.address(id))>{place}</a> " " }
        });
        view! { <p class="used-in"><span class="muted">"Used in "</span> {links.collect_view()}</p> }
    })
}

/// The citation as text; a script copies it when this is opened.
#[component]
fn CopyCitation(id: AssessmentId, citation: Citation) -> impl IntoView {
    let marker = citation.marker;
    let text = cited_text(id, &citation);
    view! {
        <details class="copy-citation">
            <summary>"Copy citation" <span class="hidden">" " {marker}</span></summary>
            <textarea readonly rows="4" aria-label=format!("Text of citation {marker}")>{format::as_text(&text)}</textarea>
        </details>
    }
}

/// `“Quote.” Outlet, “Title”, 14 Mar 2031, ADDRESS (AutOSINT ID, citation 8).`
pub fn cited_text(id: AssessmentId, citation: &Citation) -> String {
    let mut source = vec![citation.source_name()];
    source.push(format!("“{}”", citation.document_title));
    source.push(citation.published_at.map_or_else(|| "undated".to_owned(), format::published));
    source.push(citation.document_path.clone());
    let marker = citation.marker;
    format!("“{}” {} (AutOSINT {id}, citation {marker}).", citation.quote.trim(), source.join(", "))
}

/// Note that a citation is excluded from the recount, with the form that takes it back.
#[component]
pub fn Excluded(id: AssessmentId, exclusion: Exclusion, may_include: bool) -> impl IntoView {
    let Exclusion { marker, reason, name, at, .. } = exclusion;
    let undo = may_include.then(|| {
        let (action, label) = (format!("/assessments/{id}/include"), format!("Include citation {marker} again"));
        view! { <ActionButton action fields=vec![("marker", marker.to_string())] text="Include again" label /> }
    });
    view! {
        <div class="excluded" role="note">
            <p><strong>"Excluded by " {name}</strong> ", " {format::day(at)} ": " {reason}</p>
            {undo}
        </div>
    }
}

/// Line that names the annotations of a report, on its Brief.
#[component]
pub fn AnnotationNotice() -> impl IntoView {
    annotation_notice()
}

/// Words for the numbers of excluded citations and of contested ratings; none where there are none.
pub fn annotation_counts(annotations: &Annotations) -> [Option<String>; 2] {
    let count = |number: usize, one: &str, many: &str| (number > 0).then(|| format::count(number as u64, one, many));
    [
        count(annotations.exclusions.len(), "excluded citation", "excluded citations"),
        count(annotations.contests.len(), "contested rating", "contested ratings"),
    ]
}

fn annotation_notice() -> Option<AnyView> {
    let context = ReportContext::of_page()?;
    let contests = &context.annotations.contests;
    let [analysis, evidence] = [Tab::Analysis, Tab::Evidence].map(|tab| tab.address(context.id));
    let [excluded, contested] = annotation_counts(&context.annotations);
    let excluded = excluded.map(|count| {
        view! { <a href=format!("{evidence}#recount")>{format!("Recount without {count}")}</a> ". " }
    });
    let contested = contested.map(|count| {
        let first = match &contests[0].item {
            ContestedItem::Likelihood(id) => format!("{analysis}#{}", id.to_lowercase()),
            ContestedItem::Credibility(marker) => format!("{evidence}#c{marker}"),
        };
        view! { <a href=first>{count}</a> ". " }
    });
    let is_shown = excluded.is_some() || contested.is_some();
    is_shown.then(|| view! { <p class="notice" role="note">{excluded} {contested}</p> }.into_any())
}

/// Pieces of features beside an indicator.
#[component]
pub fn IndicatorPieces(indicator: String) -> impl IntoView {
    ReportContext::of_page().map(|context| {
        view! { <Pieces at=Slot::Indicator { viewer: context.viewer.id, assessment: context.id, item: indicator } /> }
    })
}

/// Whether the owner excludes a citation.
pub fn is_excluded(marker: Marker) -> bool {
    ReportContext::of_page().is_some_and(|context| context.annotations.exclusions.iter().any(|one| one.marker == marker))
}
