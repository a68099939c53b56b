//! Rising tensions on the home page.

use super::{
    detail::address,
    list::{self, TrendMark},
};
use crate::{
    heat::heat_text,
    settings::TensionSettings,
    store::{RisingTension, TensionStore},
    tension::day_number,
    view::Trend,
};
use app::atoms::SampleBadge;
use domain::user::User;
use engine::StoreResult;
use feature::{Slot, Web, region::Regions};
use leptos::prelude::*;
use tensions_islands::BoardState;

/// Piece of the feature on the home page.
pub fn piece(place: &Slot) -> Option<AnyView> {
    let Slot::Home { viewer } = place else { return None };
    let viewer = viewer.clone();
    Some(
        Suspend::new(async move {
            view! { <Rising tensions=load_of_page(&viewer).await /> }
        })
        .into_any(),
    )
}

/// Loads the tensions; none when they cannot be read, so that the page stands all the same.
async fn load_of_page(viewer: &User) -> Vec<RisingTension> {
    let Some(web) = Web::of_page() else { return vec![] };
    load(&web, viewer).await.unwrap_or_else(|error| {
        tracing::error!(%error, "rising tensions not read");
        vec![]
    })
}

/// Loads the tensions that rose most within the window of a trend.
pub async fn load(web: &Web, viewer: &User) -> StoreResult<Vec<RisingTension>> {
    let settings = web.settings.get::<TensionSettings>();
    let since = day_number(web.engine.clock.now()) - i64::from(BoardState::default().window);
    TensionStore::new(web).rising(viewer, since, settings.trend, settings.rising).await
}

#[component]
fn Rising(tensions: Vec<RisingTension>) -> impl IntoView {
    (!tensions.is_empty()).then(|| {
        let items = tensions.into_iter().map(|one| {
            let RisingTension { id, title, region, heat, is_sample } = one;
            let (place, terms) = (Regions::shared().label(&region), format!("{}#why", address(id)));
            view! {
                <li class="row">
                    <p class="row-title"><a href=address(id) title=place>{title}</a></p>
                    <p class="card-facts">
                        <span>
                            <a class="heat-terms" href=terms><strong>{heat_text(heat)}</strong></a> <TrendMark trend=Trend::Rising />
                        </span>
                        <SampleBadge is_shown=is_sample />
                    </p>
                </li>
            }
        });
        view! {
            <section aria-labelledby="rising">
                <h2 id="rising">"Rising tensions"</h2>
                <ul class="rows">{items.collect_view()}</ul>
                <p><a href=list::PAGE>"All tensions"</a></p>
            </section>
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tension::TensionId;
    use testkit::id;

    fn draw(tensions: Vec<RisingTension>) -> String {
        Owner::new().with(|| view! { <Rising tensions /> }.to_html())
    }

    #[test]
    fn rising_tensions_are_linked_with_their_heat_and_nothing_is_drawn_without_one() {
        let one = RisingTension {
            id: TensionId(id()),
            title: "Strike in Romania".into(),
            region: "642".into(),
            heat: 0.713,
            is_sample: true,
        };
        let html = draw(vec![one.clone()]);
        for text in [format!("href=\"/tensions/{}\"", one.id), ".71".to_owned(), "rising".to_owned(), "Sample".to_owned()] {
            assert!(html.contains(&text), "{text}: {html}");
        }
        assert!(!draw(vec![]).contains("Rising"));
    }
}
