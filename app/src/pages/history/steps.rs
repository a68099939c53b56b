//! Steps from version to version: what moved, with its evidence, and what got lost.

use crate::prelude::*;
use domain::assessment::{
    Comparison, HypothesisChange, Losses, LostHypothesis, StatementChange, UnmatchedCitation, point_words, unmarked,
};
use views::HistoryVersion;

/// Characters of a quote in the list.
const QUOTE_CHARS: usize = 240;

/// The versions, newest first.
#[component]
pub fn Steps(versions: Vec<HistoryVersion>) -> impl IntoView {
    let before: Vec<Option<AssessmentId>> =
        std::iter::once(None).chain(versions.iter().map(|version| Some(version.id))).collect();
    let steps = versions.into_iter().zip(before).rev().map(|(version, before)| view! { <Step version before /> });
    let steps = steps.collect_view();
    view! {
        <section>
            <h2>"What changed"</h2>
            <ul class="history-steps">{steps}</ul>
        </section>
    }
}

#[component]
fn Step(version: HistoryVersion, before: Option<AssessmentId>) -> impl IntoView {
    let HistoryVersion { id, number, created_at, model, account, change } = version;
    let change = change.zip(before).map(|(change, before)| {
        let sentence = change.sentence();
        let Comparison { hypotheses, citations_added, citations_removed, losses, .. } = change;
        let sources = Sources { id, before, added: citations_added, removed: citations_removed };
        let is_shown =
            |one: &HypothesisChange| one.change.earlier.is_none() || one.change.points().is_some_and(|points| points != 0);
        let moves = hypotheses.into_iter().filter(is_shown).map(|one| sources.line(one));
        let moves: Vec<AnyView> = moves.collect();
        view! {
            <p>{sentence}</p>
            {account.map(|account| view! { <p class="muted">"In its author's words: " {account}</p> })}
            {(!moves.is_empty()).then(|| view! { <ul>{moves}</ul> })}
            <Lost losses before />
            <p><a href=format!("/assessments/{id}/compare?with={before}")>"Compare with the version before"</a></p>
        }
        .into_any()
    });
    view! {
        <li id=format!("v{number}")>
            <h3><a href=format!("/assessments/{id}")>{format!("v{number}")}</a></h3>
            <p class="muted">{format!("{}, {model}", format::minute(created_at))}</p>
            {change.unwrap_or_else(|| view! { <p>"The first version."</p> }.into_any())}
        </li>
    }
}

/// Citations of one side only, for the evidence of a step.
struct Sources {
    id: AssessmentId,
    before: AssessmentId,
    added: Vec<UnmatchedCitation>,
    removed: Vec<UnmatchedCitation>,
}

impl Sources {
    /// Draws a hypothesis that moved or is new, with the evidence that came and went.
    fn line(&self, HypothesisChange { change, new_evidence, lost_evidence }: HypothesisChange) -> AnyView {
        let is_unexplained = new_evidence.is_empty() && lost_evidence.is_empty();
        let points = change.points();
        let StatementChange { later, probability: (earlier_value, later_value), .. } = change;
        let statement = unmarked(&later.unwrap_or_default());
        let shown = |value: Option<f64>| value.map_or_else(|| "–".to_owned(), format::percent);
        let figures = match points {
            Some(points) => format!("{} → {} ({})", shown(earlier_value), shown(later_value), point_words(points)),
            None => format!("new, {}", shown(later_value)),
        };
        let evidence = [
            self.cited("New for it: ", &new_evidence.supporting, self.id, &self.added),
            self.cited("New against it: ", &new_evidence.against, self.id, &self.added),
            self.cited("No longer cited for it: ", &lost_evidence.supporting, self.before, &self.removed),
            self.cited("No longer cited against it: ", &lost_evidence.against, self.before, &self.removed),
        ];
        view! {
            <li>
                <p>{statement} ": " <strong>{figures}</strong></p>
                {evidence.into_iter().collect_view()}
                {is_unexplained.then(|| view! { <p class="muted">"No new evidence is cited for or against it."</p> })}
            </li>
        }
        .into_any()
    }

    /// Draws some evidence with links to its citations in a version; none without any.
    fn cited(
        &self,
        title: &'static str,
        markers: &[Marker],
        version: AssessmentId,
        citations: &[UnmatchedCitation],
    ) -> Option<AnyView> {
        let found = markers.iter().filter_map(|marker| citations.iter().find(|citation| citation.marker == *marker));
        let items: Vec<_> = found.map(|citation| view! { <li><Quote citation=citation.clone() version /></li> }).collect();
        (!items.is_empty()).then(|| view! { <p>{title}</p><ul>{items}</ul> }.into_any())
    }
}

/// A quote with a link to it in a version.
#[component]
fn Quote(citation: UnmatchedCitation, version: AssessmentId) -> impl IntoView {
    let UnmatchedCitation { marker, document, quote, .. } = citation;
    view! {
        <a href=format!("/assessments/{version}/evidence#c{marker}")>{document}</a>
        <blockquote>{format::abridged(&quote, QUOTE_CHARS)}</blockquote>
    }
}

/// The losses of a version; nothing without any.
#[component]
fn Lost(losses: Losses, before: AssessmentId) -> impl IntoView {
    (!losses.is_empty()).then(|| {
        let Losses { hypotheses, gaps, citations } = losses;
        let hypotheses = hypotheses.into_iter().map(|LostHypothesis { statement, probability }| {
            let value = probability.map(|value| format!(", last at {}", format::percent(value)));
            view! { <li>"Hypothesis: " {unmarked(&statement)} {value}</li> }
        });
        let gaps = gaps.into_iter().map(|gap| view! { <li>"Gap: " {unmarked(&gap)}</li> });
        let citations = citations.into_iter().map(|citation| view! { <li>"Citation: " <Quote citation version=before /></li> });
        view! {
            <div class="notice" role="note">
                <p>"Dropped without mention"</p>
                <ul>
                    {hypotheses.collect_view()}
                    {gaps.collect_view()}
                    {citations.collect_view()}
                </ul>
            </div>
        }
    })
}
