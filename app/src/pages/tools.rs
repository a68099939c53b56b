//! Tool statistics: cache hit rate, quality of results, verified verdicts, latency.

use super::{Visit, query, render_page};
use crate::{atoms::QualityBar, prelude::*};
use domain::agent::{ToolLatency, ToolQuality};
use views::ToolsView;

async fn load_tools(days: Option<u32>) -> Result<Visit<ToolsView>, AppError> {
    let (engine, viewer) = crate::session::viewer().await?;
    let refused = || AppError::not_allowed("Tool statistics are visible to analysts and admins.");
    let page = engine.tools_view(&viewer, days).await?.ok_or_else(refused)?;
    Ok(Visit { viewer, page })
}

#[component]
pub fn ToolsPage() -> impl IntoView {
    let days = query("days").and_then(|days| days.parse().ok());
    render_page(load_tools(days), |Visit { viewer, page }| view! { <PageBody viewer page /> }.into_any())
}

#[component]
pub(super) fn PageBody(viewer: User, page: ToolsView) -> impl IntoView {
    let ToolsView { days, choices, total, lines, reflector } = page;
    let is_empty = lines.is_empty();
    let judge = match reflector {
        Some(model) => {
            format!("Results are judged by {model}, where a tool asks for that; others by fixed rules.")
        }
        None => "Results are judged by fixed rules that compare words, which agents do not read: models.reflector is not set."
            .to_owned(),
    };
    view! {
        <Title text="Tools" />
        <Frame viewer nav=NavItem::Other>
            <p class="overline"><a href="/settings">"Settings"</a></p>
            <h1>"Tools"</h1>
            <p class="lead">"Tool calls of agents. " {judge}</p>
            <Period days choices />
            {is_empty.then(|| view! {
                <EmptyState text="No tool calls in this period." href="/investigations/new" button="Ask a question" />
            })}
            {(!is_empty).then(|| view! { <Total total /> <Lines lines /> })}
        </Frame>
    }
}

/// Links to the other spans of time.
#[component]
fn Period(days: u32, choices: Vec<u32>) -> impl IntoView {
    let mut choices = choices;
    choices.sort_unstable();
    let links = choices
        .into_iter()
        .map(|choice| {
            let text = if choice == 1 { "Last day".to_owned() } else { format!("Last {choice} days") };
            let current = (choice == days).then_some("page");
            view! { <li><a href=format!("/tools?days={choice}") aria-current=current>{text}</a></li> }
        })
        .collect_view();
    view! { <nav aria-label="Time"><ul class="tool-period">{links}</ul></nav> }.into_any()
}

#[component]
fn Total(total: ToolQuality) -> impl IntoView {
    let facts = [
        ("Calls", format::grouped(total.calls)),
        ("Failed", share(total.errors, total.calls)),
        ("Cached", share(total.cached, total.calls)),
        ("Verified verdicts", share(total.verified, total.judged())),
        ("Mean time of a call", format::duration(total.latency.total_ms)),
    ];
    let facts = facts.map(|(name, value)| view! { <div><dt>{name}</dt><dd>{value}</dd></div> }).collect_view();
    view! {
        <section aria-labelledby="total-title" class="settings-part">
            <h2 id="total-title">"Total"</h2>
            <dl class="tool-facts">{facts}</dl>
            <QualityBar qualities=total.qualities />
            <p class="hint">
                "Results from outside are rated excellent, good, partial or poor. A verdict is verified where a model gave it in time and its key \
                 facts stand in the result, or where the result was empty. Verdicts by fixed rules are never verified."
            </p>
            <Split latency=total.latency />
        </section>
    }
}

#[component]
fn Lines(lines: Vec<ToolQuality>) -> impl IntoView {
    let rows = lines.into_iter().map(|line| view! { <Row line /> }).collect_view();
    view! {
        <section aria-labelledby="tools-title" class="settings-part tool-lines">
            <h2 id="tools-title">"By tool and source"</h2>
            <table class="stacked" aria-labelledby="tools-title">
                <thead>
                    <tr>
                        <th scope="col">"Tool"</th>
                        <th scope="col" class="number">"Calls"</th>
                        <th scope="col" class="number">"Failed"</th>
                        <th scope="col" class="number">"Cache"</th>
                        <th scope="col">"Quality"</th>
                        <th scope="col" class="number">"Verified"</th>
                        <th scope="col">"Mean time"</th>
                    </tr>
                </thead>
                <tbody>{rows}</tbody>
            </table>
        </section>
    }
}

#[component]
fn Row(line: ToolQuality) -> impl IntoView {
    let judged = line.judged();
    view! {
        <tr>
            <th scope="row">
                <code>{line.tool}</code>
                {line.source.map(|source| view! { <span class="muted">" on " {source}</span> })}
            </th>
            <td class="number" data-label="Calls">{format::grouped(line.calls)}</td>
            <td class="number" data-label="Failed">{share(line.errors, line.calls)}</td>
            <td class="number" data-label="Cache">{share(line.cached, line.calls)}</td>
            <td data-label="Quality"><QualityBar qualities=line.qualities /></td>
            <td class="number" data-label="Verified">{share(line.verified, judged)}</td>
            <td data-label="Mean time"><Split latency=line.latency /></td>
        </tr>
    }
    .into_any()
}

/// Mean latency of a call, by part.
#[component]
fn Split(latency: ToolLatency) -> impl IntoView {
    let ToolLatency { cache_ms, tool_ms, reflection_ms, total_ms } = latency;
    let parts = [("cache", cache_ms), ("tool", tool_ms), ("judging", reflection_ms)];
    let parts: Vec<String> =
        parts.into_iter().filter(|(_, ms)| *ms > 0).map(|(name, ms)| format!("{name} {}", format::duration(ms))).collect();
    let total = format::duration(total_ms);
    let of = if parts.is_empty() { String::new() } else { format!(": {}", parts.join(", ")) };
    view! { <span class="tool-time">{total}{of}</span> }.into_any()
}

fn share(part: u64, whole: u64) -> String {
    match whole {
        0 => "\u{2013}".to_owned(),
        _ => format::percent(part as f64 / whole as f64),
    }
}
