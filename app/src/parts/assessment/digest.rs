//! The short lists of the Brief: why, what would change it, what is not known, why it matters.

use crate::{
    atoms::{Cites, KnownMarkers, MarkedText, WrittenDay},
    format,
    parts::assessment::{AskButton, IndicatorPieces, ReportContext, Section, ids::anchor},
};
use domain::{
    assessment::{Assumption, Body, DigestList, Direction, Gap, Impact, Indicator, Judgement, markers_beside, without_markers},
    investigation::FollowKind,
    likelihood::Likelihood,
};
use leptos::prelude::*;

/// Key judgements, each in a sentence with its likelihood.
#[component]
pub fn Why(judgements: DigestList<Judgement>, known: KnownMarkers) -> impl IntoView {
    let item = |judgement| {
        let Judgement { id: label, statement, likelihood, citations, .. } = judgement;
        let others = markers_beside(&statement, &citations);
        // A sentence that gives its likelihood does not get it again.
        let likelihood = likelihood.map(|likelihood| (likelihood.term.words(), format::percent(likelihood.point)));
        let likelihood = likelihood.filter(|(_, percent)| !statement.replace(' ', "\u{a0}").contains(percent));
        let likelihood = likelihood.map(|(words, percent)| format!("{words} ({percent})"));
        view! {
            <li id=anchor(&label)>
                <p class="judgement-statement"><MarkedText text=statement known=known.clone() /> " " <Cites markers=others /></p>
                {likelihood.map(|text| view! { <p class="muted">{text}</p> })}
            </li>
        }
        .into_any()
    };
    section("why", "digest", entries(judgements, item), ("judgement", "judgements"))
}

/// `unlikely (35 %)`.
fn in_words(likelihood: &Likelihood) -> String {
    format!("{} ({})", likelihood.term.words(), format::percent(likelihood.point))
}

/// The linchpin and the indicators, with their due dates.
#[component]
pub fn WouldChange(linchpin: DigestList<Assumption>, indicators: DigestList<Indicator>, known: KnownMarkers) -> impl IntoView {
    let assumption = |assumption: Assumption| {
        view! { <li><p>"If this is wrong: " <MarkedText text=assumption.text known=known.clone() /></p></li> }.into_any()
    };
    let mut list = entries(linchpin, assumption);
    let DigestList { open, folded } = entries(indicators, indicator);
    list.open.extend(open);
    list.folded.extend(folded);
    section("change", "digest digest-actions", list, ("to watch", "to watch"))
}

fn indicator(indicator: Indicator) -> AnyView {
    let Indicator { id, text, direction, hypotheses, judgements, resolution, .. } = indicator;
    let targets = hypotheses.into_iter().chain(judgements).collect::<Vec<_>>().join(", ");
    let effect = match direction {
        Some(Direction::Supports) if !targets.is_empty() => Some(format!("▲ supports {targets}")),
        Some(Direction::Weakens) if !targets.is_empty() => Some(format!("▼ weakens {targets}")),
        _ => None,
    };
    view! {
        <li>
            <p>{text}</p>
            <p class="muted">
                {effect}
                " "
                {resolution.by.map(|by| view! { "due " <WrittenDay text=by /> })}
            </p>
            <IndicatorPieces indicator=id />
        </li>
    }
    .into_any()
}

/// The gaps, for those who may ask with a button that begins to close them.
#[component]
pub fn Unknown(gaps: DigestList<Gap>, known: KnownMarkers) -> impl IntoView {
    let item = |Gap { text, .. }| {
        let draft = without_markers(&text);
        view! {
            <li>
                <p><MarkedText text known=known.clone() /></p>
                <CollectButton draft />
            </li>
        }
        .into_any()
    };
    section("not-known", "digest digest-actions", entries(gaps, item), ("gap", "gaps"))
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

/// The impacts, each with its likelihood, its condition and its day. `body` has what the conditions name.
#[component]
pub fn Matters(impacts: DigestList<Impact>, body: Body, known: KnownMarkers) -> impl IntoView {
    let item = |impact: Impact| {
        let condition = body.condition_of(&impact);
        let Impact { who, effect, likelihood, when, citations, .. } = impact;
        let others = markers_beside(&effect, &citations);
        let likelihood = likelihood.map(|likelihood| in_words(&likelihood));
        let terms: Vec<String> = likelihood.into_iter().chain(condition).collect();
        let has_terms = !terms.is_empty() || when.is_some();
        let separator = if terms.is_empty() { "" } else { ", " };
        view! {
            <li>
                <p>{who.map(|who| format!("{who}: "))} <MarkedText text=effect known=known.clone() /> " " <Cites markers=others /></p>
                {has_terms.then(|| view! {
                    <p class="muted">{terms.join(", ")} {when.map(|when| view! { {separator} <WrittenDay text=when /> })}</p>
                })}
            </li>
        }
        .into_any()
    };
    section("matters", "digest", entries(impacts, item), ("impact", "impacts"))
}

/// The entries of a list as items.
fn entries<T>(list: DigestList<T>, item: impl Fn(T) -> AnyView) -> DigestList<AnyView> {
    let DigestList { open, folded } = list;
    DigestList { open: open.into_iter().map(&item).collect(), folded: folded.into_iter().map(&item).collect() }
}

/// A section of a list; nothing where it has no entry. On paper, folded entries are only counted.
fn section(
    id: &'static str,
    class: &'static str,
    list: DigestList<AnyView>,
    (one, many): (&'static str, &'static str),
) -> Option<AnyView> {
    let DigestList { open, folded } = list;
    let (has_open, count) = (!open.is_empty(), folded.len() as u64);
    let more = if has_open { "more " } else { "" };
    let text = format::count(count, &format!("{more}{one}"), &format!("{more}{many}"));
    let fold = (count > 0).then(|| match ReportContext::of_page() {
        Some(_) => view! {
            <details class="more-entries">
                <summary>{text}</summary>
                <ul class=class>{folded}</ul>
            </details>
        }
        .into_any(),
        None => view! { <p class="muted">{text}</p> }.into_any(),
    });
    (has_open || count > 0).then(|| {
        view! {
            <Section id>
                {has_open.then(|| view! { <ul class=class>{open}</ul> })}
                {fold}
            </Section>
        }
        .into_any()
    })
}
