//! The checks on the form of the assessment: the score, what they found, and what was looked at.

use crate::prelude::*;
use domain::assessment::{CheckOutcome, Checks, checks};

#[component]
pub fn CheckList(checks: Checks) -> impl IntoView {
    let score = checks.score();
    let rows = checks.run.iter().map(|id| row(&checks, id)).collect_view();
    view! {
        <Section id="checks">
            <p>
                <strong>{score}</strong>
                <span class="muted">" Checks concern the form of the assessment, not its truth."</span>
            </p>
            <ul class="checks">{rows}</ul>
        </Section>
    }
}

fn row(all: &Checks, id: &str) -> AnyView {
    let outcome = all.outcome(id);
    let (class, sign, words) = match outcome {
        CheckOutcome::Passed => ("check passed", "✓", "passed: "),
        CheckOutcome::Failed => ("check failed", "!", "not passed: "),
        CheckOutcome::NothingToCheck => ("check", "–", "nothing to check: "),
    };
    let found = all.findings.iter().chain(&all.remarks).filter(|finding| finding.check == id);
    let found = found.map(|finding| view! { <li>{finding.text.clone()} " " <code>{finding.at.clone()}</code></li> });
    let found: Vec<_> = found.collect();
    view! {
        <li class=class>
            <p>
                <span class="check-sign" aria-hidden="true">{sign}</span>
                <span class="hidden">{words}</span>
                {checks::title(id).to_owned()}
            </p>
            {(!found.is_empty()).then(|| view! { <ul>{found}</ul> })}
        </li>
    }
    .into_any()
}
