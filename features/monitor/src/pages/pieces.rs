//! Pieces inside pages of the kernel: "Watch this", "Ask again on a schedule", and on the home page what changed and what is due.

use super::{
    for_you::{PAGE, finding},
    interests::NEW,
    schedule_form,
};
use crate::{
    beliefs::{MovedAnswer, moved_answers},
    dates::{DAY_MS, DueItem},
    for_you::{ForYou, ForYouItem, load},
    interest::MAX_ENTRIES,
    store::MonitorStore,
};
use app::{format, parts::assessment::Tab};
use domain::{
    Timestamp,
    user::{Action, User},
};
use feature::{Slot, Web};
use leptos::prelude::*;

/// Rows of the home page.
const HOME_ROWS: usize = 3;
/// Answers with another likelihood on the home page.
const MOVED_ROWS: usize = 2;
/// Days of reports on the home page.
const DUE_ROWS: u32 = 3;
/// Days ahead that home shows.
const DUE_DAYS: i64 = 14;
/// Characters of a title in a row.
const TITLE_CHARS: usize = 120;

/// Links that begin an interest or a standing question with what a page is about.
pub fn watch_this(place: &Slot) -> Option<AnyView> {
    let fields = match place {
        Slot::Entity { entity, .. } => vec![("entity", entity.to_string())],
        Slot::Document { document, .. } => vec![("document", document.to_string())],
        Slot::Claim { claim, .. } => vec![("claim", claim.to_string())],
        Slot::Assessment { assessment, .. } | Slot::Comparison { later: assessment } => {
            vec![("assessment", assessment.to_string())]
        }
        Slot::Object { kind, object, .. } => vec![("of", (*kind).to_owned()), ("object", object.to_string())],
        Slot::Filters { query, is_chosen: true, .. } => fields_of_view(query)?,
        _ => return None,
    };
    let href = format!("{NEW}?{}", format::query_string(fields));
    let text = match place {
        // Objects have the button "Watch" of their own, which follows the one object.
        Slot::Object { .. } => "Write an interest like this",
        Slot::Filters { page: "search", .. } => "Watch this search",
        Slot::Filters { .. } => "Watch this view",
        _ => "Watch this",
    };
    let label = match place {
        Slot::Object { title, .. } => Some(format!("{text}: {title}")),
        _ => None,
    };
    let again = match place {
        Slot::Assessment { viewer, assessment } if viewer.role.may(Action::Investigate) => {
            let href = format!("{}?assessment={assessment}", schedule_form::PAGE);
            Some(view! { <a class="button quiet" href=href>"Ask again on a schedule"</a> })
        }
        _ => None,
    };
    Some(
        view! {
            <p class="monitor-links">
                <a class="button quiet" href=href aria-label=label>{text}</a>
                {again}
            </p>
        }
        .into_any(),
    )
}

/// Returns the fields of an interest from the query of a page with filters, such as a search or a saved view: its words, tags, outlet and
/// entities; none without any.
fn fields_of_view(query: &str) -> Option<Vec<(&'static str, String)>> {
    let values = |names: &[&str]| -> Vec<String> {
        let pairs = form_urlencoded::parse(query.as_bytes());
        let found = pairs.filter(|(name, value)| names.contains(&name.as_ref()) && !value.is_empty());
        found.map(|(_, value)| value.into_owned()).take(MAX_ENTRIES).collect()
    };
    let (words, tags, entities) = (values(&["q"]), values(&["tag"]), values(&["outlet", "seed"]));
    let sentence = if words.is_empty() { tags.join(", ") } else { words.join(" ") };
    let fields = [("sentence", sentence), ("tags", tags.join(", ")), ("entity", entities.join(","))];
    let fields: Vec<_> = fields.into_iter().filter(|(_, value)| !value.is_empty()).collect();
    (!fields.is_empty()).then_some(fields)
}

/// Piece on the home page: likelihoods that moved since the person's last visit, what changed for their interests, and days of their
/// reports that come soon.
pub fn home(place: &Slot) -> Option<AnyView> {
    let Slot::Home { viewer } = place else { return None };
    let viewer = viewer.clone();
    Some(
        Suspend::new(async move {
            let HomeContent { since, now, moved, due, found } = load_home(&viewer).await?;
            let is_found = !found.shown.is_empty();
            Some(view! {
                <MovedLikelihoods moved />
                <DueSoon due now />
                {is_found.then(|| view! { <HomeForYou since now found /> })}
            })
        })
        .into_any(),
    )
}

/// Changes and days on the home page.
struct HomeContent {
    since: Timestamp,
    now: Timestamp,
    moved: Vec<MovedAnswer>,
    due: Vec<DueItem>,
    found: ForYou,
}

/// Loads what changed and what is due; nothing when it cannot be read, so that the page stands all the same.
async fn load_home(viewer: &User) -> Option<HomeContent> {
    let web = Web::of_page()?;
    let now = web.engine.clock.now();
    // The page may have recorded this visit already.
    let last_visit = viewer.visits.with(now).unwrap_or(viewer.visits).before;
    let since = last_visit.unwrap_or(viewer.created_at);
    let found = load(&web, viewer, since).await.unwrap_or_else(|error| {
        tracing::error!(%error, "matches not read");
        ForYou::default()
    });
    let due = MonitorStore::new(&web).due_soon(viewer.id, now, now.plus_ms(DUE_DAYS * DAY_MS), DUE_ROWS).await;
    let due = due.unwrap_or_else(|error| {
        tracing::error!(%error, "due days not read");
        vec![]
    });
    // Nothing has moved before the first visit.
    let mut moved = match last_visit {
        None => vec![],
        Some(since) => moved_answers(&web, viewer, since, MOVED_ROWS).await.unwrap_or_else(|error| {
            tracing::error!(%error, "moved likelihoods not read");
            vec![]
        }),
    };
    let is_listed = |one: &MovedAnswer| found.shown.iter().chain(&found.folded).any(|item| item.product.href == one.href);
    moved.retain(|one| !is_listed(one));
    Some(HomeContent { since, now, moved, due, found })
}

/// Answers that a newer version of their question gives another likelihood.
#[component]
fn MovedLikelihoods(moved: Vec<MovedAnswer>) -> impl IntoView {
    (!moved.is_empty()).then(|| {
        let rows = moved.into_iter().map(|MovedAnswer { statement, shares, href }| {
            view! {
                <li class="row">
                    <p class="row-title"><a href=href>{format::abridged(&statement, TITLE_CHARS)}</a></p>
                    <p class="card-facts"><span>{shares}</span></p>
                </li>
            }
        });
        view! {
            <section aria-labelledby="moved-likelihoods">
                <h2 id="moved-likelihoods">"Likelihoods that moved"</h2>
                <ul class="rows">{rows.collect_view()}</ul>
            </section>
        }
    })
}

/// Days that reports name, the nearest first.
#[component]
fn DueSoon(due: Vec<DueItem>, now: Timestamp) -> impl IntoView {
    // The Monitor lists what is over alone.
    let is_over = due.iter().any(|item| item.due_at <= now);
    (!due.is_empty()).then(|| {
        let rows = due.into_iter().map(|item| {
            let href = Tab::Analysis.address(item.assessment);
            let when = day_text(&item, now);
            view! {
                <li class="row">
                    <p class="row-title"><a href=href>{format::abridged(&item.text, TITLE_CHARS)}</a></p>
                    <p class="card-facts"><span>{when}</span></p>
                </li>
            }
        });
        view! {
            <section aria-labelledby="due-soon">
                <h2 id="due-soon">"Due soon"</h2>
                <ul class="rows">{rows.collect_view()}</ul>
                {is_over.then(|| view! { <p><a href=format!("{PAGE}#due")>"All that is over"</a></p> })}
            </section>
        }
    })
}

/// Distance of a day from today: `in 3 days`.
fn day_text(item: &DueItem, now: Timestamp) -> String {
    let day = item.due_at.plus_ms(-DAY_MS);
    let number = |at: Timestamp| at.as_micros().div_euclid(DAY_MS * 1_000);
    match number(day) - number(now) {
        ..=-1 if item.is_gap() => "over: is it known by now?".to_owned(),
        ..=-1 => "over: did it happen?".to_owned(),
        0 => "today".to_owned(),
        1 => "tomorrow".to_owned(),
        days => format!("in {days} days"),
    }
}

#[component]
fn HomeForYou(since: Timestamp, now: Timestamp, found: ForYou) -> impl IntoView {
    let finding = finding(&found, since, now);
    let row = |item: ForYouItem| {
        view! {
            <li class="row">
                <p class="row-title"><a href=item.product.href>{format::abridged(&item.product.title, TITLE_CHARS)}</a></p>
                <p class="row-answer">{item.kind} ", you watch “" {item.stored.sentence} "”"</p>
            </li>
        }
    };
    let mut shown = found.shown;
    let rest = shown.split_off(shown.len().min(HOME_ROWS));
    let more = rest.len() + found.folded.len();
    let rest = rest.into_iter().chain(found.folded).map(row).collect_view();
    let rows = shown.into_iter().map(row).collect_view();
    view! {
        <section aria-labelledby="for-you">
            <h2 id="for-you">"For you"</h2>
            <p class="muted">{finding}</p>
            <ul class="rows">{rows}</ul>
            {(more > 0).then(|| view! { <details><summary>{format!("{more} more")}</summary> <ul class="rows">{rest}</ul></details> })}
            <p><a href=PAGE>"Monitor"</a></p>
        </section>
    }
    .into_any()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::for_you::{pack, tests::item};
    use domain::{AssessmentId, UserId};
    use testkit::id;

    #[test]
    fn home_shows_days_of_reports_with_their_distance() {
        let now = Timestamp::from_micros(1_900_000_000_000_000);
        let due = |days: i64| DueItem {
            assessment: AssessmentId(id()),
            item: "I1".into(),
            user: UserId(Default::default()),
            text: "The court decides on custody.".into(),
            due_at: now.plus_ms((days + 1) * DAY_MS),
            ask_at: now,
        };
        let html = Owner::new().with(|| view! { <DueSoon due=vec![due(-2), due(0), due(1), due(3)] now /> }.to_html());
        for text in ["Due soon", "The court decides", "over: did it happen?", "today", "tomorrow", "in 3 days", "/analysis"] {
            assert!(html.contains(text), "{text}: {html}");
        }
        assert!(html.contains("All that is over"), "{html}");
        let gap = DueItem { item: "G1".into(), ..due(-2) };
        let html = Owner::new().with(|| view! { <DueSoon due=vec![gap] now /> }.to_html());
        assert!(html.contains("is it known by now?"), "{html}");
        let html = Owner::new().with(|| view! { <DueSoon due=vec![due(3)] now /> }.to_html());
        assert!(!html.contains("All that is over"), "{html}");
        assert!(!Owner::new().with(|| view! { <DueSoon due=vec![] now /> }.to_html()).contains("Due soon"));
    }

    #[test]
    fn home_shows_how_a_likelihood_moved() {
        let [statement, shares, href] = ["The lock opens.", "49 → 61\u{a0}%", "/assessments/1/history"].map(str::to_owned);
        let moved = vec![MovedAnswer { statement, shares, href }];
        let html = Owner::new().with(|| view! { <MovedLikelihoods moved /> }.to_html());
        assert!(html.contains("href=\"/assessments/1/history\">The lock opens.") && html.contains("49 → 61\u{a0}%"), "{html}");
        assert!(!Owner::new().with(|| view! { <MovedLikelihoods moved=vec![] /> }.to_html()).contains("moved"));
    }

    #[test]
    fn home_shows_what_fits_the_budget_and_folds_the_rest() {
        let now = Timestamp::from_micros(1_900_000_000_000_000);
        let found = pack(vec![item("Strike in Constanţa", 70, 450), item("Long report", 50, 2_000)], 5, 230);
        let html = Owner::new().with(|| view! { <HomeForYou since=now.plus_ms(-86_400_000) now found /> }.to_html());
        let html = html.replace("<!>", "");
        assert!(html.contains("Strike in Constanţa") && html.contains("1 more") && html.contains("2 minutes"), "{html}");
    }
}
