//! The short lists of the Brief: why, what would flip it, who is hit, what is not known. A list without entries has no section.

use crate::{
    parts::assessment::{AskButton, IndicatorPieces},
    prelude::*,
};
use domain::{
    assessment::{
        Body, DigestList, Flip, Gap, Impact, ImpactDirection, ImpactSize, Objection, Reason, markers_beside,
        with_whole_percents, without_markers,
    },
    investigation::FollowKind,
};

/// The reasons for the answer, and the strongest objection to it.
#[component]
pub fn Why(reasons: DigestList<Reason>, objection: Option<Objection>, known: KnownMarkers) -> impl IntoView {
    let objection = objection.map(|Objection { label, reason }| {
        let sentence = sentence(reason, &known);
        view! { <p class="objection"><strong>{label} ": "</strong> {sentence}</p> }.into_any()
    });
    let item = |reason: Reason| {
        let sentence = sentence(reason, &known);
        view! { <li><p>{sentence}</p></li> }.into_any()
    };
    section("why", "digest reasons", entries(reasons, item), ("reason", "reasons"), objection)
}

/// A sentence with its sources in words and its citations.
fn sentence(reason: Reason, known: &KnownMarkers) -> AnyView {
    let others = markers_beside(&reason.text, &reason.citations);
    let sources = reason.sources.into_iter().map(|source| match source.published {
        Some(published) => format!("{}, {}", source.name, format::published(published)),
        None => source.name,
    });
    let sources: Vec<String> = sources.collect();
    let sources = (!sources.is_empty()).then(|| format!("({})", sources.join("; ")));
    view! {
        <MarkedText text=reason.text known=known.clone() />
        " "
        {sources.map(|text| view! { <span class="reason-sources">{text}</span> })}
        " "
        <Cites markers=others />
    }
    .into_any()
}

/// Indicators with their effects, and what would change the judgements.
#[component]
pub fn WouldFlip(flips: DigestList<Flip>, known: KnownMarkers) -> impl IntoView {
    let item = |Flip { text, indicator, effect, by }: Flip| {
        let has_terms = effect.is_some() || by.is_some();
        let separator = if effect.is_some() { ", " } else { "" };
        let effect = effect.map(|effect| with_whole_percents(&effect));
        let terms = has_terms.then(|| {
            view! { <p class="muted">{effect} {by.map(|by| view! { {separator} "due " <WrittenDay text=by /> })}</p> }
        });
        view! {
            <li>
                <p><MarkedText text known=known.clone() /></p>
                {terms}
                {indicator.map(|indicator| view! { <IndicatorPieces indicator /> })}
            </li>
        }
        .into_any()
    };
    section("change", "digest digest-actions", entries(flips, item), ("to watch", "to watch"), None)
}

/// The impacts, each with its size, likelihood, condition and day. `body` has what the conditions name.
#[component]
pub fn WhoIsHit(impacts: DigestList<Impact>, body: Body, known: KnownMarkers) -> impl IntoView {
    let item = |impact: Impact| {
        let condition = body.condition_of(&impact);
        let Impact { who, effect, size, direction, likelihood, when, citations, .. } = impact;
        let others = markers_beside(&effect, &citations);
        let size = size.map(|size: ImpactSize| size.as_str().to_owned());
        let direction = direction.map(|direction| direction_words(direction).to_owned());
        let likelihood = likelihood.map(|likelihood| likelihood.words());
        let terms = [size, direction, likelihood, condition].into_iter().flatten();
        let terms = terms.map(|term| with_whole_percents(&term)).collect::<Vec<_>>().join(", ");
        let has_terms = !terms.is_empty() || when.is_some();
        let separator = if terms.is_empty() { "" } else { ", " };
        let terms = has_terms.then(|| {
            view! { <p class="muted">{terms} {when.map(|when| view! { {separator} <WrittenDay text=when /> })}</p> }
        });
        view! {
            <li>
                <p>{who.map(|who| format!("{who}: "))} <MarkedText text=effect known=known.clone() /> " " <Cites markers=others /></p>
                {terms}
            </li>
        }
        .into_any()
    };
    section("hit", "digest", entries(impacts, item), ("impact", "impacts"), None)
}

const fn direction_words(direction: ImpactDirection) -> &'static str {
    match direction {
        ImpactDirection::Better => "for the better",
        ImpactDirection::Worse => "for the worse",
        ImpactDirection::Mixed => "better and worse",
    }
}

/// The gaps and how to close them, for those who may ask with a button that begins it.
#[component]
pub fn Unknown(gaps: DigestList<Gap>, known: KnownMarkers) -> impl IntoView {
    let item = |Gap { text, how_to_close, .. }: Gap| {
        let draft = without_markers(&text);
        let how = how_to_close.filter(|how| !how.trim().is_empty());
        view! {
            <li>
                <p><MarkedText text known=known.clone() /></p>
                {how.map(|text| view! { <p class="muted">"To close it: " <MarkedText text known=known.clone() /></p> })}
                <CollectButton draft />
            </li>
        }
        .into_any()
    };
    section("not-known", "digest digest-actions", entries(gaps, item), ("gap", "gaps"), None)
}

/// The button that opens a follow-up question with the words of a gap; nothing on paper.
#[component]
pub fn CollectButton(draft: String) -> impl IntoView {
    let context = ReportContext::of_page().filter(|context| context.may_ask);
    context.map(|context| {
        let follows = (context.investigation, FollowKind::FollowUp);
        view! { <AskButton draft text="Collect this" follows /> }
    })
}

/// The entries of a list as items.
pub(super) fn entries<T>(list: DigestList<T>, item: impl Fn(T) -> AnyView) -> DigestList<AnyView> {
    let DigestList { open, folded } = list;
    DigestList { open: open.into_iter().map(&item).collect(), folded: folded.into_iter().map(&item).collect() }
}

/// A section of a list with what follows its open entries; nothing where both are empty.
fn section(
    id: &'static str,
    class: &'static str,
    list: DigestList<AnyView>,
    names: (&str, &str),
    after: Option<AnyView>,
) -> Option<AnyView> {
    let DigestList { open, folded } = list;
    let (has_open, is_shown) = (!open.is_empty(), !open.is_empty() || after.is_some());
    let fold = fold(class, folded, names);
    is_shown.then(|| {
        view! {
            <Section id>
                {has_open.then(|| view! { <ul class=class>{open}</ul> })}
                {after}
                {fold}
            </Section>
        }
        .into_any()
    })
}

/// Folded entries behind a line that counts them. A printed brief leaves them to the full report.
pub(super) fn fold(class: &'static str, folded: Vec<AnyView>, (one, many): (&str, &str)) -> Option<AnyView> {
    ReportContext::of_page()?;
    let text = format::count(folded.len() as u64, &format!("more {one}"), &format!("more {many}"));
    (!folded.is_empty()).then(|| {
        view! {
            <details class="more-entries">
                <summary>{text}</summary>
                <ul class=class>{folded}</ul>
            </details>
        }
        .into_any()
    })
}
