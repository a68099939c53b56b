//! The short lists of the Brief: why, what would change it, what is not known, why it matters.

use crate::{
    atoms::{Cites, KnownMarkers, MarkedText, WrittenDay},
    format,
    parts::assessment::{AskButton, ReportContext, Section, Tab, WatchButton, ids::anchor},
};
use domain::{
    AssessmentId,
    assessment::{Body, Direction, Gap, Impact, Indicator, Judgement, markers_beside, without_markers},
    investigation::FollowKind,
};
use leptos::prelude::*;

/// Entries of each list; the Evidence tab has all.
const MOST_SHOWN: usize = 3;

/// The first key judgements, each in a sentence with its likelihood.
#[component]
pub fn Why(id: AssessmentId, judgements: Vec<Judgement>, known: KnownMarkers) -> impl IntoView {
    let count = judgements.len();
    let items = judgements.into_iter().take(MOST_SHOWN).map(|judgement| {
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
    });
    let items: Vec<_> = items.collect();
    (!items.is_empty()).then(|| {
        view! {
            <Section id="why">
                <ul class="digest">{items}</ul>
                {more(id, "judgements", count, "judgements")}
            </Section>
        }
    })
}

/// The linchpin and the first indicators, with their due dates.
#[component]
pub fn WouldChange(id: AssessmentId, body: Body, known: KnownMarkers) -> impl IntoView {
    let count = body.indicators.len();
    let linchpin = body.assumptions.into_iter().next().map(|assumption| {
        view! {
            <li>
                <p>"If this is wrong: " <MarkedText text=assumption.text known=known.clone() /></p>
            </li>
        }
    });
    let items: Vec<_> = body.indicators.into_iter().take(MOST_SHOWN).map(indicator).collect();
    let is_shown = linchpin.is_some() || !items.is_empty();
    is_shown.then(|| {
        view! {
            <Section id="change">
                <ul class="digest digest-actions">{linchpin} {items}</ul>
                {more(id, "indicators", count, "indicators")}
            </Section>
        }
    })
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
            <WatchButton indicator=id />
        </li>
    }
    .into_any()
}

/// The first gaps, for those who may ask with a button that begins to close them.
#[component]
pub fn Unknown(id: AssessmentId, gaps: Vec<Gap>, known: KnownMarkers) -> impl IntoView {
    let count = gaps.len();
    let items = gaps.into_iter().take(MOST_SHOWN).map(|Gap { text, .. }| {
        let draft = without_markers(&text);
        view! {
            <li>
                <p><MarkedText text known=known.clone() /></p>
                <CollectButton draft />
            </li>
        }
    });
    let items: Vec<_> = items.collect();
    (!items.is_empty()).then(|| {
        view! {
            <Section id="not-known">
                <ul class="digest digest-actions">{items}</ul>
                {more(id, "gaps", count, "gaps")}
            </Section>
        }
    })
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

/// The first impacts.
#[component]
pub fn Matters(id: AssessmentId, impacts: Vec<Impact>, known: KnownMarkers) -> impl IntoView {
    let count = impacts.len();
    let items = impacts.into_iter().take(MOST_SHOWN).map(|Impact { who, effect, citations, .. }| {
        let others = markers_beside(&effect, &citations);
        view! {
            <li>
                <p>{who.map(|who| format!("{who}: "))} <MarkedText text=effect known=known.clone() /> " " <Cites markers=others /></p>
            </li>
        }
    });
    let items: Vec<_> = items.collect();
    (!items.is_empty()).then(|| {
        view! {
            <Section id="matters">
                <ul class="digest">{items}</ul>
                {more(id, "impacts", count, "impacts")}
            </Section>
        }
    })
}

/// A link to the whole list, where the Brief has only its start.
fn more(id: AssessmentId, section: &'static str, count: usize, noun: &'static str) -> Option<AnyView> {
    let href = format!("{}#{section}", Tab::Evidence.address(id));
    (count > MOST_SHOWN).then(|| view! { <p><a href=href>{format!("All {count} {noun}")}</a></p> }.into_any())
}
