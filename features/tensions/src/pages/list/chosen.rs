//! Tensions of the chosen cell of the matrix, with what can be done about each.

use super::{PAGE, TensionLinks, TrendMark};
use crate::{heat::heat_text, pages::actions::SCOUT_NOTE, view::HeatedTension, watched};
use app::{
    Pieces, Slot,
    atoms::{ActionButton, SampleBadge},
    format,
};
use domain::{
    ObjectId,
    user::{Action, User},
};
use leptos::prelude::*;

/// Tensions that are shown with their buttons, the hottest first. The list has all.
pub const SHOWN: usize = 3;

/// Tensions of the chosen cell, with buttons to open, scout and watch each.
#[component]
pub fn Chosen(
    viewer: User,
    /// Place and theme.
    title: String,
    tensions: Vec<HeatedTension>,
    today: i64,
    window: u16,
    least_change: u8,
) -> impl IntoView {
    let may_change = viewer.role.may(Action::Investigate);
    let has_scout = may_change && tensions.iter().any(|one| !one.summary.is_sample);
    let items = tensions.into_iter().map(|one| {
        let (id, trend) = (one.summary.tension.id, one.trend(window, least_change));
        let TensionLinks { href, terms, evidenced, answered, evidence } = TensionLinks::new(&one, today);
        let name = one.summary.tension.title.clone();
        let answers = match one.summary.responses {
            0 => "nothing answers it".to_owned(),
            responses => format::count(responses, "response", "responses"),
        };
        let scout = (may_change && !one.summary.is_sample).then(|| {
            let (action, label) = (format!("{href}/scout"), format!("Scout now: {name}"));
            view! { <ActionButton action fields=vec![] text="Scout now" label /> }
        });
        let place = Slot::Object { viewer: viewer.id, kind: watched::KEY, object: ObjectId(id.0), title: name.clone() };
        view! {
            <li class="row">
                <p class="row-title">{name.clone()} " " <SampleBadge is_shown=one.summary.is_sample /></p>
                <p class="card-facts">
                    <span><a class="heat-terms" href=terms>{heat_text(one.heat())}</a> <TrendMark trend /></span>
                    <a class="heat-terms" href=evidenced>{evidence}</a>
                    <a class="heat-terms" href=answered>{answers}</a>
                </p>
                <div class="manage tension-acts">
                    <a class="button quiet" href=href>"Open" <span class="hidden">" " {name}</span></a>
                    {scout}
                    <Pieces at=place />
                </div>
            </li>
        }
    });
    let items = items.collect_view();
    view! {
        <section aria-labelledby="chosen">
            <h2 id="chosen">{title}</h2>
            <ul class="rows">{items}</ul>
            {has_scout.then(|| view! { <p class="hint">"“Scout now”: " {SCOUT_NOTE}</p> })}
            <p class="muted"><a href="#all">"All tensions of the cell"</a> " · " <a href=PAGE>"Every region and theme"</a></p>
        </section>
    }
    .into_any()
}
