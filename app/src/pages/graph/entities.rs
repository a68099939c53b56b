//! The list of entities.

use super::{Visit, query, render_page};
use crate::{pages::dashboard::documents_button, prelude::*};
use views::graph::{EntitiesView, EntityLine};

/// Characters of a summary in the list.
const SUMMARY_CHARS: usize = 160;
/// Aliases shown in the list.
const ALIASES: usize = 3;

async fn load_entities(words: String, kind: String) -> Result<Visit<EntitiesView>, AppError> {
    let (engine, viewer) = crate::session::viewer().await?;
    let page = engine.entities_view(&viewer, &words, &kind).await?;
    Ok(Visit { viewer, page })
}

#[component]
pub fn EntitiesPage() -> impl IntoView {
    let (words, kind) = (query("q").unwrap_or_default(), query("kind").unwrap_or_default());
    let merge = query("merge").and_then(|id| id.parse::<EntityId>().ok());
    render_page(load_entities(words, kind), move |Visit { viewer, page }| view! { <PageBody viewer page merge /> }.into_any())
}

#[component]
fn PageBody(viewer: User, page: EntitiesView, merge: Option<EntityId>) -> impl IntoView {
    let EntitiesView { query, kind, entities, limit } = page;
    let is_filtered = !query.is_empty() || !kind.is_empty();
    let found = match entities.len() {
        0 if is_filtered => "No entity matches.".to_owned(),
        0 => String::new(),
        count if count >= limit && is_filtered => format!("The best {count}"),
        count if count >= limit => format!("The {count} with the most claims. Search for others."),
        count => format::count(count as u64, "entity", "entities"),
    };
    let (is_empty, may_add) = (entities.is_empty() && !is_filtered, viewer.role.may(Action::Investigate));
    let others = entities.into_iter().filter(|entity| Some(entity.id) != merge);
    let rows = others.map(|entity| view! { <Row entity merge /> }).collect_view();
    view! {
        <Title text="Entities" />
        <Frame viewer nav=NavItem::Entities>
            <h1>{if merge.is_some() { "Merge with which entity?" } else { "Entities" }}</h1>
            <form method="get" action="/entities" class="filters" role="search" aria-label="Filter the entities">
                {merge.map(|id| view! { <input type="hidden" name="merge" value=id.to_string() /> })}
                <div class="filter-words">
                    <label for="q" class="hidden">"Search entities"</label>
                    <input id="q" name="q" type="search" value=query placeholder="Search names and summaries" maxlength="300" />
                </div>
                <label class="filter">
                    <span>"Kind"</span>
                    <input name="kind" type="text" value=kind placeholder="person, company …" maxlength="80" />
                </label>
                <button type="submit" class="outline">"Apply"</button>
            </form>
            <p class="muted" role="status">
                {found} {is_filtered.then(|| view! { " · " <a href="/entities">"Clear filters"</a> })}
            </p>
            {is_empty.then(|| {
                let button = documents_button(may_add);
                view! { <EmptyState text="Entities appear when documents have been read." href="/documents" button /> }
            })}
            <ul class="rows entity-rows">{rows}</ul>
        </Frame>
    }
    .into_any()
}

#[component]
fn Row(entity: EntityLine, merge: Option<EntityId>) -> impl IntoView {
    let EntityLine { id, name, kind, aliases, summary, is_stub, claims, last_seen } = entity;
    let also = (!aliases.is_empty()).then(|| {
        let shown: Vec<String> = aliases.into_iter().take(ALIASES).collect();
        format!(" · also {}", shown.join(", "))
    });
    let summary = summary.map(|summary| format::abridged(&summary, SUMMARY_CHARS));
    let summary = summary.or_else(|| is_stub.then(|| "Known by name only.".to_owned()));
    view! {
        <li class="row">
            <a class="row-title" href=format!("/entities/{id}")>{name}</a>
            <span class="muted">{kind} {also} {summary.map(|summary| format!(" · {summary}"))}</span>
            {merge.map(|left| view! {
                <a class="button outline" href=format!("/reviews/merge?left={left}&right={id}")>"Compare and merge…"</a>
            })}
            <span>{format::count(u64::from(claims), "claim", "claims")}</span>
            <span>{last_seen.map(|seen| view! { "last " <Day published=Some(seen) /> })}</span>
        </li>
    }
    .into_any()
}
