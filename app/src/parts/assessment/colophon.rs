//! Colophon: author, model, prompts and cost of an assessment.

use crate::{parts::assessment::Period, prelude::*};
use domain::assessment::AnalyticConfidence;

#[component]
pub fn Colophon(assessment: Assessment, created_at: Timestamp) -> impl IntoView {
    let Assessment { id, investigation_id, kind, producer, cost, schema, body, sources, information, .. } = assessment;
    let consulted = information.in_days();
    let plan_changes = sources.map(|sources| sources.plan_changes).unwrap_or_default();
    let is_changed = !plan_changes.is_empty();
    let plan_changes: Vec<_> = plan_changes.into_iter().map(|note| view! { <li>{note.sentence()}</li> }).collect();
    let product = if kind.is_assessment() { "Assessment" } else { "Evidence brief" };
    let confidence = body.overall_confidence.map(|AnalyticConfidence { level, basis }| {
        view! { <dt>"Overall confidence"</dt><dd>{level.as_str()} " — " {basis}</dd> }
    });
    let recorded = producer.recorded_note();
    let prompts = producer
        .prompts
        .into_iter()
        .map(|(role, hash)| view! { <dt>"Prompt, " {format::sentence_case(&role)}</dt><dd><code>{hash.chars().take(16).collect::<String>()}</code></dd> })
        .collect_view();
    view! {
        <Section id="colophon">
            <dl class="facts">
                {confidence}
                <dt>"Written"</dt>
                <dd><time datetime=created_at.to_string()>{format::minute(created_at)}</time></dd>
                <dt>"By"</dt>
                <dd>{recorded.unwrap_or_else(|| format!("{} · {}", producer.provider, producer.model))}</dd>
                <dt>"Cost"</dt>
                <dd>{format::cost(&cost)}</dd>
                {consulted.until.is_some().then(|| view! { <dt>"Consulted documents published"</dt><dd><Period period=consulted /></dd> })}
                {prompts}
                {is_changed.then(|| view! { <dt>"Plan changed"</dt><dd><ul>{plan_changes}</ul></dd> })}
                <dt>"Schema"</dt>
                <dd><code>{schema}</code></dd>
                <dt>{product}</dt>
                <dd><code>{id.to_string()}</code></dd>
                <dt>"Investigation"</dt>
                <dd><a href=format!("/investigations/{investigation_id}")>"Work log"</a></dd>
            </dl>
        </Section>
    }
}
