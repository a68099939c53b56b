//! Hits of one kind.

use super::address::{address, kind_text};
use crate::{parts::SnippetText, prelude::*};
use domain::text::words;
use views::{AddedGroup, SearchGroup, SearchHit, SearchKind, SearchQuery, Snippet};

/// Characters of the title of a hit.
const TITLE_CHARS: usize = 160;

#[component]
pub(super) fn Group(group: SearchGroup, query: SearchQuery) -> impl IntoView {
    let SearchGroup { kind, hits, total, is_at_least, related } = group;
    // Pages that list all matches of a kind. They have no period.
    let list = match kind {
        _ if query.has_period() => None,
        SearchKind::Assessments => Some("/assessments"),
        SearchKind::Documents => Some("/documents"),
        SearchKind::Entities => Some("/entities"),
        SearchKind::Investigations | SearchKind::Claims | SearchKind::Relationships => None,
    };
    let shown = hits.len() as u64;
    let count = if is_at_least { format!("{}+", format::grouped(total)) } else { format::grouped(total) };
    let more = list.filter(|_| total > shown).map(|list| {
        let href = format!("{list}?q={}", format::percent_encoded(&query.words));
        view! { <p><a href=href>{format!("Show all {count}")}</a></p> }
    });
    let first = (list.is_none() && total > shown)
        .then(|| view! { <p class="muted">{format!("The first {shown} of {count}. Narrow them with the filters.")}</p> });
    let only = query.only.is_none().then(|| address(&SearchQuery { only: Some(kind), only_added: String::new(), ..query }));
    let hits = hits.into_iter().map(|hit| view! { <Hit hit /> }).collect_view();
    let related = (!related.is_empty()).then(|| {
        let count = related.len();
        let hits = related.into_iter().map(|hit| view! { <Hit hit /> }).collect_view();
        view! {
            <details>
                <summary class="muted">{format!("{count} related, without every word")}</summary>
                <ul class="rows">{hits}</ul>
            </details>
        }
    });
    view! {
        <section class="hits">
            <h2>{match only { Some(href) => view! { <a href=href>{kind_text(kind)}</a> }.into_any(), None => kind_text(kind).into_any() }}</h2>
            <ul class="rows">{hits}</ul>
            {more} {first} {related}
        </section>
    }
    .into_any()
}

/// Hits of a kind that a feature adds.
#[component]
pub(super) fn Added(group: AddedGroup, query: SearchQuery) -> impl IntoView {
    let AddedGroup { key, title, hits, is_at_least } = group;
    let shown = hits.len();
    let first = is_at_least.then(|| view! { <p class="muted">{format!("The first {shown}.")}</p> });
    let only = query.only_added.is_empty().then(|| address(&SearchQuery { only_added: key, ..query }));
    let hits = hits.into_iter().map(|hit| view! { <Hit hit /> }).collect_view();
    view! {
        <section class="hits">
            <h2>{match only { Some(href) => view! { <a href=href>{title}</a> }.into_any(), None => title.into_any() }}</h2>
            <ul class="rows">{hits}</ul>
            {first}
        </section>
    }
}

#[component]
fn Hit(hit: SearchHit) -> impl IntoView {
    let SearchHit { title, href, snippet, note, published } = hit;
    let has_note = !note.is_empty() || published.is_some();
    let day = published.map(|published| view! { <Day published=Some(published) /> });
    let comma = (!note.is_empty() && day.is_some()).then_some(", ");
    let short = format::abridged(&title, TITLE_CHARS);
    let (name, text) = match repetition(&title, &snippet) {
        Repetition::Whole => (view! { <SnippetText snippet /> }.into_any(), None),
        Repetition::Part => (short.into_any(), None),
        Repetition::None => (short.into_any(), Some(view! { <p class="hit-text"><SnippetText snippet /></p> })),
    };
    view! {
        <li class="row">
            <a class="row-title" href=href>{name}</a>
            {text}
            {has_note.then(|| view! { <p class="muted">{note} {comma} {day}</p> })}
        </li>
    }
}

/// Overlap of an excerpt with the title above it.
#[derive(Debug, PartialEq)]
enum Repetition {
    None,
    Part,
    Whole,
}

/// Compares title and excerpt by their words, so that nothing is printed twice. An empty excerpt is part of every title.
fn repetition(title: &str, snippet: &Snippet) -> Repetition {
    let words = |text: &str| words(text).map(str::to_lowercase).collect::<Vec<_>>().join(" ");
    let excerpt: String = snippet.0.iter().map(|(text, _)| text.as_str()).collect();
    match (words(title), words(&excerpt)) {
        (title, excerpt) if title == excerpt => Repetition::Whole,
        (title, excerpt) if title.contains(&excerpt) => Repetition::Part,
        _ => Repetition::None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_claim_is_printed_once_and_other_excerpts_beneath_their_title() {
        let snippet = |text: &str| Snippet(vec![("The ".into(), false), (text.into(), true)]);
        assert_eq!(repetition("The lock is closed.", &snippet("lock is closed")), Repetition::Whole);
        assert_eq!(repetition("The lock is closed, and the mayor resigned.", &snippet("lock …")), Repetition::Part);
        assert_eq!(repetition("Harbour Gazette", &snippet("lock is closed")), Repetition::None);
        assert_eq!(repetition("The lock", &Snippet::default()), Repetition::Part);
    }
}
