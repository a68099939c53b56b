//! Filter of the evidence of a report, held by the address.

use super::{EvidenceView, Tab};
use crate::prelude::*;
use domain::claim::Attribution;
use std::collections::BTreeSet;

/// Filter of citations; empty fields match all.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct EvidenceFilter {
    pub outlet: String,
    /// `primary` or `secondhand`.
    pub attribution: String,
    /// First and last day of publication (`2031-05-04`).
    pub from: String,
    pub until: String,
    /// Words that quote, claim or title must all contain.
    pub words: String,
    /// Hypothesis and side: `H1-for`, `H1-against`.
    pub bears: String,
}

/// Attributions to choose from, with the text of each.
const ATTRIBUTIONS: [(&str, &str); 2] = [("primary", "First-hand"), ("secondhand", "Second-hand")];

impl EvidenceFilter {
    pub fn is_active(&self) -> bool {
        *self != Self::default()
    }

    /// Returns names and values in the address of a view with this filter.
    pub fn fields(&self, view: EvidenceView) -> Vec<(&'static str, String)> {
        let view = if view == EvidenceView::default() { "" } else { view.as_str() };
        let fields = [
            ("view", view),
            ("outlet", self.outlet.as_str()),
            ("attribution", self.attribution.as_str()),
            ("from", self.from.as_str()),
            ("until", self.until.as_str()),
            ("q", self.words.as_str()),
            ("bears", self.bears.as_str()),
        ];
        fields.into_iter().filter(|(_, value)| !value.is_empty()).map(|(name, value)| (name, value.to_owned())).collect()
    }

    /// The address of a view of the evidence with this filter.
    pub fn address(&self, id: AssessmentId, view: EvidenceView) -> String {
        let query = format::query_string(self.fields(view));
        let mark = if query.is_empty() { "" } else { "?" };
        format!("{}{mark}{query}", Tab::Evidence.address(id))
    }

    /// Returns the markers of the citations that match.
    pub fn matching(&self, assessment: &Assessment) -> BTreeSet<Marker> {
        let bearing = self.bearing(assessment);
        let is_match = |citation: &&Citation| {
            self.matches(citation) && bearing.as_ref().is_none_or(|bearing| bearing.contains(&citation.marker))
        };
        assessment.citations.iter().filter(is_match).map(|citation| citation.marker).collect()
    }

    /// Citations for or against the chosen hypothesis; none where none is chosen.
    fn bearing(&self, assessment: &Assessment) -> Option<BTreeSet<Marker>> {
        let (id, side) = self.bears.split_once('-')?;
        let hypothesis = assessment.body.hypotheses.iter().find(|hypothesis| hypothesis.id == id)?;
        let markers = if side == "against" { &hypothesis.against } else { &hypothesis.supporting };
        Some(markers.iter().copied().collect())
    }

    fn matches(&self, citation: &Citation) -> bool {
        let is_primary = citation.attribution == Attribution::Primary;
        let attribution = match self.attribution.as_str() {
            "primary" => is_primary,
            "secondhand" => !is_primary,
            _ => true,
        };
        let outlet = self.outlet.is_empty() || citation.source_name() == self.outlet;
        attribution && outlet && self.is_in_period(citation) && self.has_words(citation)
    }

    /// Whether it was published within the period. An undated citation is in no period.
    fn is_in_period(&self, citation: &Citation) -> bool {
        if self.from.is_empty() && self.until.is_empty() {
            return true;
        }
        let Some(published) = citation.published_at else { return false };
        let day = published.value.to_datetime().format("%Y-%m-%d").to_string();
        (self.from.is_empty() || day >= self.from) && (self.until.is_empty() || day <= self.until)
    }

    fn has_words(&self, citation: &Citation) -> bool {
        let content = citation.content.as_deref().unwrap_or_default();
        let speaker = citation.speaker.as_deref().unwrap_or_default();
        let text = format!("{} {content} {} {speaker}", citation.quote, citation.document_title).to_lowercase();
        self.words.to_lowercase().split_whitespace().all(|word| text.contains(word))
    }
}

/// Form of the filter, folded until one is set, with the number of matches.
#[component]
pub fn FilterForm(
    assessment: Assessment,
    filter: EvidenceFilter,
    shown: usize,
    #[prop(optional)] view: EvidenceView,
) -> impl IntoView {
    let id: AssessmentId = assessment.id;
    let action = Tab::Evidence.address(id);
    let all = EvidenceFilter::default().address(id, view);
    let view = (view != EvidenceView::default()).then_some(view.as_str());
    let outlets: BTreeSet<String> = assessment.citations.iter().map(|citation| citation.source_name()).collect();
    let outlets = outlets.into_iter().map(|name| (name.clone(), name));
    let sides = assessment.body.hypotheses.iter().flat_map(|hypothesis| {
        let side = |side: &str, markers: &[Marker]| {
            (!markers.is_empty()).then(|| (format!("{}-{side}", hypothesis.id), format!("{side} {}", hypothesis.id)))
        };
        [side("for", &hypothesis.supporting), side("against", &hypothesis.against)].into_iter().flatten()
    });
    let attributions = ATTRIBUTIONS.map(|(value, text)| (value.to_owned(), text.to_owned()));
    let total = assessment.citations.len();
    let is_active = filter.is_active();
    let count = format!("{shown} of {}", format::count(total as u64, "citation", "citations"));
    let EvidenceFilter { outlet, attribution, from, until, words, bears } = filter;
    view! {
        <details class="evidence-filter" open=is_active>
            <summary>"Filter"</summary>
            <form method="get" action=action class="filters" role="search" aria-label="Filter the evidence">
                {view.map(|view| view! { <input type="hidden" name="view" value=view /> })}
                <div class="filter-words">
                    <label for="evidence-words" class="hidden">"Words in quote or title"</label>
                    <input id="evidence-words" name="q" type="search" value=words placeholder="Words in quote or title" maxlength="200" />
                </div>
                <Choice name="outlet" label="Outlet" every="All outlets" chosen=outlet options=outlets.collect() />
                <Choice name="attribution" label="Attribution" every="All" chosen=attribution options=attributions.to_vec() />
                <Choice name="bears" label="Bears on" every="All answers" chosen=bears options=sides.collect() />
                <label class="filter"><span>"Published from"</span><input type="date" name="from" value=from /></label>
                <label class="filter"><span>"until"</span><input type="date" name="until" value=until /></label>
                <button type="submit" class="outline">"Apply"</button>
            </form>
        </details>
        {is_active.then(|| view! {
            <p class="muted" role="status">{count} " · " <a href=all>"Clear filters"</a></p>
        })}
    }
}

/// A list to choose from; nothing where there is no choice.
#[component]
fn Choice(
    name: &'static str,
    label: &'static str,
    every: &'static str,
    chosen: String,
    options: Vec<(String, String)>,
) -> impl IntoView {
    (!options.is_empty()).then(|| view! { <FilterSelect name label every chosen options /> })
}
