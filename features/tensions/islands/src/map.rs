//! The map of the board: countries coloured by heat, loaded when it is opened. The tables beside it hold the same figures.

mod projection;
mod world;

use crate::{
    address::BoardView,
    board::HeatSeries,
    browser,
    picture::BoardSignals,
    reading::{classes, figure},
};
use leptos::{prelude::*, task::spawn_local, web_sys::HtmlDetailsElement};
use std::sync::Arc;
use world::{Bounds, CountryShape, World};

/// Borders of countries as TopoJSON, from the package world-atlas. `copy_vendor` in `scripts/lib.sh` puts the file there.
const BORDERS: &str = "/vendor/countries-110m.json";

/// Loading state of the borders.
#[derive(Clone)]
enum Borders {
    NotAsked,
    Loading,
    Missing,
    Loaded(Arc<World>),
}

/// The fold with the map.
pub fn map_section(signals: BoardSignals) -> AnyView {
    let borders = RwSignal::new(Borders::NotAsked);
    let is_open = Memo::new(move |_| signals.state.with(|state| state.view == BoardView::Map));
    Effect::new(move || {
        if is_open.get() && matches!(borders.get_untracked(), Borders::NotAsked) {
            borders.set(Borders::Loading);
            spawn_local(async move {
                let world = browser::load_text(BORDERS).await.and_then(|text| World::decode(&text));
                borders.set(world.map_or(Borders::Missing, |world| Borders::Loaded(Arc::new(world))));
            });
        }
    });
    let keep_fold = move |event| {
        let is_open = event_target::<HtmlDetailsElement>(&event).open();
        signals.show_view(if is_open { BoardView::Map } else { BoardView::Matrix });
    };
    let picture = move || match borders.get() {
        Borders::NotAsked => ().into_any(),
        Borders::Loading => view! { <p class="muted">"Loading the map…"</p> }.into_any(),
        Borders::Missing => {
            view! { <p class="muted">"The map could not be loaded. The tables hold the same figures."</p> }.into_any()
        }
        Borders::Loaded(world) => draw_world(signals, &world),
    };
    view! {
        <details class="heat-map needs-script" open=is_open.get_untracked() on:toggle=keep_fold>
            <summary>"Map"</summary>
            {picture}
        </details>
    }
    .into_any()
}

/// The world, or the chosen region with its countries.
fn draw_world(signals: BoardSignals, world: &World) -> AnyView {
    let chosen = signals.state.with_untracked(|state| state.region.clone());
    let region = chosen.and_then(|code| signals.board.with_value(|board| board.region_of(&code).cloned()));
    let zoom = signals.board.with_value(|board| board.zoom.clone());
    let is_in_region = |shape: &&CountryShape| zoom.contains(&shape.code);
    let view_box = Bounds::around(world.countries.iter().filter(is_in_region)).unwrap_or(world.bounds).view_box();
    let shapes = world.countries.iter().map(|shape| draw_country(signals, shape, region.is_some())).collect_view();
    let back =
        region.map(|_| view! { <p><a href=move || signals.href(None, signals.theme().as_deref())>"Whole world"</a></p> });
    view! {
        {back}
        // Keys reach the links of the tables, which are the same.
        <svg viewBox=view_box role="group" aria-label="Map of the heat; the tables hold the same figures">{shapes}</svg>
    }
    .into_any()
}

/// A country; with heat, a link to its region, or to itself within the region.
fn draw_country(signals: BoardSignals, shape: &CountryShape, is_region: bool) -> AnyView {
    let theme = signals.theme();
    let path = shape.path.clone();
    let Some(series) = signals.series(&shape.code, theme.as_deref()) else {
        return view! { <path class="heat-land" d=path /> }.into_any();
    };
    let reading = signals.reading(&series);
    let HeatSeries { place, .. } = series;
    let parent = signals.board.with_value(|board| board.place(&place)?.parent.clone());
    let label = signals.board.with_value(|board| board.place(&place).map_or_else(String::new, |place| place.label.clone()));
    let target = if is_region { place } else { parent.unwrap_or(place) };
    let name = move || format!("{label} {}", figure(reading.get()));
    let title = name.clone();
    view! {
        <g>
            <a href=move || signals.href(Some(target.as_str()), theme.as_deref()) tabindex="-1" aria-label=name>
                <title>{title}</title>
                <path class=move || classes(reading.get()) d=path />
            </a>
        </g>
    }
    .into_any()
}
