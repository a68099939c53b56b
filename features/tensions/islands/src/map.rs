//! The map of the board: countries coloured by heat, loaded when it is opened. The tables beside it hold the same figures.

use crate::{
    address::BoardView,
    board::HeatSeries,
    browser,
    picture::BoardSignals,
    reading::{classes, figure},
};
use leptos::{prelude::*, task::spawn_local, web_sys::HtmlDetailsElement};
use serde::Deserialize;
use std::sync::Arc;

/// Shapes of the countries, which `scripts/borders.mjs` makes from the package world-atlas when the site is built.
const BORDERS: &str = "/vendor/countries.json";
/// Space around the shapes, in units of the picture.
const MARGIN: f64 = 4.0;

/// Country as an SVG path.
#[derive(Deserialize)]
struct CountryShape {
    /// ISO 3166 numeric code; empty for some disputed areas.
    code: String,
    path: String,
    /// Corners of its largest piece.
    low: [f64; 2],
    high: [f64; 2],
}

/// Loading state of the borders.
#[derive(Clone)]
enum Borders {
    NotAsked,
    Loading,
    Missing,
    Loaded(Arc<Vec<CountryShape>>),
}

/// The fold with the map.
pub fn map_section(signals: BoardSignals) -> AnyView {
    let borders = RwSignal::new(Borders::NotAsked);
    let is_open = Memo::new(move |_| signals.state.with(|state| state.view == BoardView::Map));
    Effect::new(move || {
        if is_open.get() && matches!(borders.get_untracked(), Borders::NotAsked) {
            borders.set(Borders::Loading);
            spawn_local(async move {
                let shapes = browser::load_text(BORDERS).await.and_then(|text| serde_json::from_str(&text).ok());
                borders.set(shapes.map_or(Borders::Missing, |shapes| Borders::Loaded(Arc::new(shapes))));
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
        Borders::Loaded(shapes) => draw_world(signals, &shapes),
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
fn draw_world(signals: BoardSignals, shapes: &[CountryShape]) -> AnyView {
    let chosen = signals.state.with_untracked(|state| state.region.clone());
    let region = chosen.and_then(|code| signals.board.with_value(|board| board.region_of(&code).cloned()));
    let zoom = signals.board.with_value(|board| board.zoom.clone());
    let of_region: Vec<&CountryShape> = shapes.iter().filter(|shape| zoom.contains(&shape.code)).collect();
    let view_box = if of_region.is_empty() { view_box(shapes.iter()) } else { view_box(of_region.into_iter()) };
    let shapes = shapes.iter().map(|shape| draw_country(signals, shape, region.is_some())).collect_view();
    let back =
        region.map(|_| view! { <p><a href=move || signals.href(None, signals.theme().as_deref())>"Whole world"</a></p> });
    view! {
        {back}
        // Keys reach the links of the tables, which are the same.
        <svg viewBox=view_box role="group" aria-label="Map of the heat; the tables hold the same figures">{shapes}</svg>
    }
    .into_any()
}

/// Returns the attribute `viewBox` that shows countries.
fn view_box<'a>(shapes: impl Iterator<Item = &'a CountryShape>) -> String {
    let corners = shapes.map(|shape| (shape.low, shape.high));
    let around = corners.reduce(|(low, high), (other_low, other_high)| {
        let low = [low[0].min(other_low[0]), low[1].min(other_low[1])];
        (low, [high[0].max(other_high[0]), high[1].max(other_high[1])])
    });
    let (low, high) = around.unwrap_or_default();
    let [x, y] = low.map(|edge| edge - MARGIN);
    let (width, height) = (high[0] + MARGIN - x, high[1] + MARGIN - y);
    format!("{x:.1} {y:.1} {width:.1} {height:.1}")
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_view_box_holds_the_countries_with_a_margin() {
        let shapes = r#"[
            {"code": "466", "path": "M0,0L9,9Z", "low": [0, -20], "high": [20.5, 5]},
            {"code": "", "path": "M0,0L9,9Z", "low": [10, -10], "high": [30, 0]}
        ]"#;
        let shapes: Vec<CountryShape> = serde_json::from_str(shapes).unwrap();
        assert_eq!(view_box(shapes.iter()), "-4.0 -24.0 38.0 33.0");
    }
}
