//! A section, and the table of contents that leads to it. The style sheet numbers both.

use crate::prelude::*;

/// Every section by its anchor, with its title: those of an assessment, of an evidence brief, and of the Brief tab.
const TITLES: [(&str, &str); 39] = [
    ("judgements", "Key judgements"),
    ("hypotheses", "Hypotheses"),
    ("dissent", "Dissent"),
    ("matrix", "Evidence matrix"),
    ("analysis", "Analysis"),
    ("actors", "Actors"),
    ("chronology", "Chronology"),
    ("disagreements", "Where sources disagree"),
    ("figures", "Figures"),
    ("causes", "Causes and effects"),
    ("indicators", "Indicators"),
    ("scenarios", "Scenarios"),
    ("gaps", "Gaps"),
    ("assumptions", "Assumptions"),
    ("impacts", "Impacts"),
    ("basis", "What it rests on"),
    ("sources", "Sources"),
    ("outlets", "Outlets"),
    ("checks", "Checks"),
    ("citations", "Citations"),
    ("colophon", "How this was made"),
    ("evidence", "Further quotations"),
    ("answers", "Reported answers"),
    ("detail", "In detail"),
    ("contradictions", "Numbers that differ"),
    ("announced", "Announced"),
    ("unknown", "Not known, according to the sources"),
    ("effects", "Effects, according to the sources"),
    ("answers-brief", "Answers"),
    ("why", "Why"),
    ("change", "What would flip it"),
    ("not-known", "What is not known"),
    ("hit", "Who is hit"),
    ("recount", "Recount without excluded evidence"),
    ("source-list", "Source list"),
    ("contests", "Contested ratings"),
    ("timeline", "Timeline"),
    ("origins", "Citations by origin"),
    ("unused", "Documents that no citation uses"),
];

fn title(id: &str) -> &'static str {
    TITLES.iter().find(|section| section.0 == id).map_or("", |section| section.1)
}

/// One section of an assessment. `id` is one of `TITLES`.
#[component]
pub fn Section(id: &'static str, children: Children) -> impl IntoView {
    let heading = format!("{id}-title");
    let labelled = heading.clone();
    view! {
        <section id=id class=format!("section section-{id}") aria-labelledby=labelled>
            <h2 id=heading><span class="section-number" aria-hidden="true"></span>{title(id)}</h2>
            {children()}
        </section>
    }
}

/// A section of the page, with how many things are in it where they are counted.
pub type ContentsEntry = (&'static str, Option<usize>);

/// Links to the sections of the page, in their order.
#[component]
pub fn Contents(entries: Vec<ContentsEntry>) -> impl IntoView {
    let items = entries.into_iter().map(|(id, count)| {
        view! {
            <li>
                <a href=format!("#{id}")>
                    <span class="section-number" aria-hidden="true"></span>
                    <span>{title(id)}</span>
                    {count.map(|count| view! { <span class="contents-count">{count}</span> })}
                </a>
            </li>
        }
    });
    let items = items.collect_view();
    view! {
        <nav class="contents" aria-label="Contents of the assessment">
            <ol>{items}</ol>
        </nav>
    }
    .into_any()
}
