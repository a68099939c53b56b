//! The picture of the explorer, with its buttons, colours and selection. It adds to the tables of the page, which say the same.
//!
//! Invariant: only `public/graph-cytoscape.js` touches Cytoscape.js, and only `browser` calls it.

// Views are types nested as deep as their markup.
#![recursion_limit = "256"]

#[cfg_attr(not(feature = "hydrate"), allow(dead_code, reason = "only a browser draws"))]
mod address;
mod browser;
#[cfg_attr(not(feature = "hydrate"), allow(dead_code, reason = "only a browser draws"))]
mod drawing;
#[cfg_attr(not(feature = "hydrate"), allow(dead_code, reason = "only a browser draws"))]
mod labels;
#[cfg_attr(not(feature = "hydrate"), allow(dead_code, reason = "only a browser draws"))]
mod months;
#[cfg_attr(not(feature = "hydrate"), allow(dead_code, reason = "only a browser draws"))]
mod placed;
#[cfg_attr(not(feature = "hydrate"), allow(dead_code, reason = "only a browser draws"))]
mod scene;
#[cfg_attr(not(feature = "hydrate"), allow(dead_code, reason = "only a browser draws"))]
mod selection;
#[cfg_attr(not(feature = "hydrate"), allow(dead_code, reason = "only a browser draws"))]
mod style;

use leptos::prelude::*;
use months::MonthSlider;
use selection::{SelectionLine, count};
use views::graph::Position;

/// Button of the picture, with its key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PictureAction {
    Expand,
    Hide,
    Pin,
    Path,
    Undo,
    Redo,
    Lasso,
    Fit,
    SavePng,
    SaveSvg,
}

impl PictureAction {
    const ALL: [Self; 10] = [
        Self::Expand,
        Self::Hide,
        Self::Pin,
        Self::Path,
        Self::Undo,
        Self::Redo,
        Self::Lasso,
        Self::Fit,
        Self::SavePng,
        Self::SaveSvg,
    ];

    /// Returns its name in the markup, its label, and its key if it has one.
    const fn texts(self) -> (&'static str, &'static str, Option<&'static str>) {
        match self {
            Self::Expand => ("expand", "Expand or collapse", Some("e")),
            Self::Hide => ("hide", "Hide", Some("h")),
            Self::Pin => ("pin", "Pin", Some("p")),
            Self::Path => ("path", "Paths between two", Some("b")),
            Self::Undo => ("undo", "Undo", Some("z")),
            Self::Redo => ("redo", "Redo", Some("y")),
            Self::Lasso => ("lasso", "Lasso", Some("l")),
            Self::Fit => ("fit", "Fit", Some("0")),
            Self::SavePng => ("png", "Save as PNG", None),
            Self::SaveSvg => ("svg", "Save as SVG", None),
        }
    }

    /// Returns the action of a key.
    #[cfg_attr(not(feature = "hydrate"), allow(dead_code, reason = "only a browser has keys"))]
    pub fn of_key(key: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|action| action.texts().2 == Some(key))
    }
}

/// Movement of the pointer while an outline is drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OutlineStep {
    Begin,
    Extend,
    End,
}

/// Line of the legend; without a colour, objects of features.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(not(feature = "hydrate"), allow(dead_code, reason = "only a browser draws"))]
pub struct LegendLine {
    pub text: String,
    pub colour: Option<String>,
}

/// State of what stands around the picture.
#[derive(Clone, Copy, Default)]
#[cfg_attr(not(feature = "hydrate"), allow(dead_code, reason = "only a browser changes it"))]
pub struct PictureSignals {
    pub status: RwSignal<String>,
    pub legend: RwSignal<Vec<LegendLine>>,
    /// Number of entities without a label.
    pub nameless: RwSignal<usize>,
    pub slider: RwSignal<MonthSlider>,
    pub selection: RwSignal<Vec<SelectionLine>>,
    pub can_undo: RwSignal<bool>,
    pub can_redo: RwSignal<bool>,
    /// Corners of the outline that is being drawn; none where no outline was asked for.
    pub outline: RwSignal<Option<Vec<Position>>>,
}

impl PictureSignals {
    fn is_off(self, action: PictureAction) -> bool {
        match action {
            PictureAction::Undo => !self.can_undo.get(),
            PictureAction::Redo => !self.can_redo.get(),
            _ => false,
        }
    }
}

/// Picture of the subgraph of the page. It is hidden until the browser draws it.
#[island]
pub fn ExplorerPicture() -> impl IntoView {
    picture(PictureSignals::default())
}

fn picture(signals: PictureSignals) -> AnyView {
    Effect::new(move || browser::start(signals));
    on_cleanup(browser::stop);
    // The surface is created once for an outline: a new one per corner would lose the pointer.
    let is_outlining = Memo::new(move |_| signals.outline.with(Option::is_some));
    let buttons = PictureAction::ALL.into_iter().map(|action| button(signals, action)).collect_view();
    view! {
        <div id="graph-canvas" class="graph-canvas" data-panels="" hidden>
            <div class="graph-bar" role="toolbar" aria-label="Picture">{buttons}</div>
            {month_slider(signals)}
            <div
                class="graph-picture"
                tabindex="0"
                role="application"
                aria-label="Picture of the relationships; the tables below say the same. Arrow keys move the selection."
                on:keydown=browser::press
            >
                {move || is_outlining.get().then(|| outline(signals.outline))}
            </div>
            <p class="hint graph-nameless" hidden=move || signals.nameless.get() == 0>{move || nameless(signals.nameless.get())}</p>
            <ul class="graph-legend" aria-label="Colours">
                {move || signals.legend.get().into_iter().map(legend_line).collect_view()}
            </ul>
            <p role="status" class="muted">{move || signals.status.get()}</p>
            <ul class="graph-selection">{move || signals.selection.get().into_iter().map(selection_line).collect_view()}</ul>
        </div>
    }
    .into_any()
}

fn button(signals: PictureSignals, action: PictureAction) -> AnyView {
    let (name, label, key) = action.texts();
    view! {
        <button
            type="button"
            class="quiet"
            data-act=name
            title=key.map(|key| format!("Key {key}"))
            disabled=move || signals.is_off(action)
            on:click=move |_| browser::act(action)
        >
            {label}
        </button>
    }
    .into_any()
}

/// The slider over the months in which relationships were first stated.
fn month_slider(signals: PictureSignals) -> AnyView {
    let slider = signals.slider;
    view! {
        <label class="graph-time" hidden=move || !slider.get().is_needed()>
            "Stated until "
            <input
                type="range"
                name="month"
                min=move || slider.get().first.to_string()
                max=move || slider.get().last.to_string()
                prop:value=move || slider.get().month.to_string()
                on:input=move |event| browser::show_month(&event_target_value(&event))
                on:change=move |_| browser::keep_month()
            />
            " "
            <output>{move || slider.get().words()}</output>
        </label>
    }
    .into_any()
}

/// The surface on which an outline is drawn, over the picture.
fn outline(corners: RwSignal<Option<Vec<Position>>>) -> AnyView {
    let points = move || {
        let corners = corners.get().unwrap_or_default();
        corners.iter().map(|corner| format!("{},{}", corner.x, corner.y)).collect::<Vec<_>>().join(" ")
    };
    view! {
        <svg
            class="graph-lasso"
            on:pointerdown=move |event| browser::draw_outline(&event, OutlineStep::Begin)
            on:pointermove=move |event| browser::draw_outline(&event, OutlineStep::Extend)
            on:pointerup=move |event| browser::draw_outline(&event, OutlineStep::End)
        >
            <polygon points=points></polygon>
        </svg>
    }
    .into_any()
}

fn nameless(left: usize) -> String {
    let entities = count(left, "entity has", "entities have");
    format!("{entities} no name in the picture for lack of room. Point at one, zoom in, or see the table below.")
}

fn legend_line(line: LegendLine) -> AnyView {
    let LegendLine { text, colour } = line;
    match colour {
        Some(colour) => view! {
            <li><span class="graph-swatch" aria-hidden="true" style:background-color=colour></span>" "{text}</li>
        }
        .into_any(),
        None => view! { <li><span class="graph-swatch graph-swatch-added" aria-hidden="true"></span>" "{text}</li> }.into_any(),
    }
}

fn selection_line(line: SelectionLine) -> AnyView {
    match line {
        SelectionLine::Node { href, name, kind } => view! { <li><a href=href>{name}</a>" "{kind}</li> }.into_any(),
        SelectionLine::Link { text } => view! { <li>{text}</li> }.into_any(),
        SelectionLine::Edge { before, href, description, after } => {
            view! { <li>{before}" "<a href=href>{description}</a>" "{after}</li> }.into_any()
        }
    }
}

#[cfg(all(test, feature = "ssr"))]
mod tests {
    use super::*;

    #[test]
    fn the_server_renders_a_hidden_frame_without_a_picture() {
        let html = Owner::new().with(|| picture(PictureSignals::default()).to_html());
        assert!(html.contains("id=\"graph-canvas\"") && html.contains(" hidden") && !html.contains(" style="), "{html}");
        assert!(
            html.contains("data-act=\"lasso\"") && html.contains("Key l") && html.contains("role=\"application\""),
            "{html}"
        );
        assert_eq!(html.matches(" disabled").count(), 2, "{html}");
    }

    #[test]
    fn every_key_has_one_action() {
        let keys: Vec<_> = PictureAction::ALL.into_iter().filter_map(|action| action.texts().2).collect();
        assert!(keys.iter().all(|key| PictureAction::of_key(key).and_then(|action| action.texts().2) == Some(*key)));
        assert_eq!((keys.len(), PictureAction::of_key("x")), (8, None));
    }
}
