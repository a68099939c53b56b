//! A numbered section, and the table of contents that leads to it.

use leptos::prelude::*;

/// The sections of the page: anchor and title.
pub const SECTIONS: [(&str, &str); 11] = [
    ("judgements", "Key judgements"),
    ("hypotheses", "Hypotheses"),
    ("matrix", "Evidence matrix"),
    ("analysis", "Analysis"),
    ("indicators", "Indicators"),
    ("gaps", "Gaps"),
    ("assumptions", "Assumptions"),
    ("impacts", "Impacts"),
    ("outlets", "Outlets"),
    ("citations", "Citations"),
    ("colophon", "How this was made"),
];

/// One section of an assessment. `id` is one of `SECTIONS`.
#[component]
pub fn Section(id: &'static str, children: Children) -> impl IntoView {
    let place = SECTIONS.iter().position(|section| section.0 == id).unwrap_or_default();
    let heading = format!("{id}-title");
    let labelled = heading.clone();
    view! {
        <section id=id class=format!("section section-{id}") aria-labelledby=labelled>
            <h2 id=heading><span class="section-number" aria-hidden="true">{place + 1}</span>{SECTIONS[place].1}</h2>
            {children()}
        </section>
    }
    .into_any()
}

/// Links to every section; `counts` are shown beside their titles.
#[component]
pub fn Contents(counts: Vec<(&'static str, usize)>) -> impl IntoView {
    let items = SECTIONS
        .iter()
        .enumerate()
        .map(|(place, (id, title))| {
            let count = counts.iter().find(|count| count.0 == *id).map(|count| count.1);
            view! {
                <li>
                    <a href=format!("#{id}")>
                        <span class="section-number" aria-hidden="true">{place + 1}</span>
                        <span>{*title}</span>
                        {count.map(|count| view! { <span class="contents-count">{count}</span> })}
                    </a>
                </li>
            }
        })
        .collect_view();
    view! {
        <nav class="contents" aria-label="Contents of the assessment">
            <ol>{items}</ol>
        </nav>
    }
    .into_any()
}
