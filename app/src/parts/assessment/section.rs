//! A section, and the table of contents that leads to it. The style sheet numbers both.

use leptos::prelude::*;

/// The sections of the page in their order: anchor and title.
const SECTIONS: [(&str, &str); 14] = [
    ("judgements", "Key judgements"),
    ("hypotheses", "Hypotheses"),
    ("matrix", "Evidence matrix"),
    ("analysis", "Analysis"),
    ("causes", "Causes and effects"),
    ("indicators", "Indicators"),
    ("gaps", "Gaps"),
    ("assumptions", "Assumptions"),
    ("impacts", "Impacts"),
    ("sources", "Sources"),
    ("outlets", "Outlets"),
    ("checks", "Checks"),
    ("citations", "Citations"),
    ("colophon", "How this was made"),
];

/// One section of an assessment. `id` is one of `SECTIONS`.
#[component]
pub fn Section(id: &'static str, children: Children) -> impl IntoView {
    let title = SECTIONS.iter().find(|section| section.0 == id).map(|section| section.1);
    let heading = format!("{id}-title");
    let labelled = heading.clone();
    view! {
        <section id=id class=format!("section section-{id}") aria-labelledby=labelled>
            <h2 id=heading><span class="section-number" aria-hidden="true"></span>{title}</h2>
            {children()}
        </section>
    }
    .into_any()
}

/// How a section stands in the contents.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Listed {
    Plain,
    /// With how many things are in it.
    Counted(usize),
    /// The page does not have it.
    Absent,
}

/// Links to the sections of the page; those that `listed` does not name are there, without a count.
#[component]
pub fn Contents(listed: Vec<(&'static str, Listed)>) -> impl IntoView {
    let items = SECTIONS.iter().filter_map(|(id, title)| {
        let found = listed.iter().find(|entry| entry.0 == *id);
        let count = match found.map_or(Listed::Plain, |entry| entry.1) {
            Listed::Absent => return None,
            Listed::Plain => None,
            Listed::Counted(count) => Some(count),
        };
        Some(view! {
            <li>
                <a href=format!("#{id}")>
                    <span class="section-number" aria-hidden="true"></span>
                    <span>{*title}</span>
                    {count.map(|count| view! { <span class="contents-count">{count}</span> })}
                </a>
            </li>
        })
    });
    let items = items.collect_view();
    view! {
        <nav class="contents" aria-label="Contents of the assessment">
            <ol>{items}</ol>
        </nav>
    }
    .into_any()
}
