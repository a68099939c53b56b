//! Controller of the picture: what a person does changes the address, and the address decides what is drawn.
//!
//! Invariant: no borrow of the state is held while the script of the picture is called.

use super::{
    super::{
        LegendLine, OutlineStep, PictureAction, PictureSignals,
        address::{Address, AddressSteps},
        drawing::{enclosed, svg},
        labels::{LABEL, unlabelled},
        placed::{PictureEvent, PlacedPicture, Purpose},
        scene::{Palette, Scene},
        selection::{count, selection_lines},
        style::style_sheet,
    },
    cytoscape::{self, Centre, LabelChange, PictureChange, PictureFile, SceneChange},
    page,
};
use leptos::{
    ev::{KeyboardEvent, PointerEvent},
    prelude::*,
    task::spawn_local,
};
use serde_json::json;
use std::{
    cell::{Cell, RefCell},
    collections::HashSet,
    rc::Rc,
};
use views::graph::{NodeColour, PictureGraph, Position};
use wasm_bindgen::{JsCast, closure::Closure};
use web_sys::Element;

thread_local! {
    /// The picture of the page, which has one.
    static EXPLORER: RefCell<Option<Rc<Explorer>>> = const { RefCell::new(None) };
}

/// Factor of a zoom by key.
const ZOOM_STEP: f64 = 1.2;
/// Fewest corners of an outline that encloses anything.
const FEWEST_CORNERS: usize = 3;

/// Address, and the picture that is drawn for it.
#[derive(Default)]
struct PictureState {
    steps: AddressSteps,
    graph: PictureGraph,
    scene: Scene,
    palette: Palette,
    hidden: HashSet<String>,
    selected: Vec<String>,
}

struct Explorer {
    signals: PictureSignals,
    state: RefCell<PictureState>,
    /// Whether the outline has begun: before, the pointer only moves to its start.
    is_drawing: Cell<bool>,
}

/// Mounts the picture and draws the subgraph of the address. Without its script the frame stays hidden.
pub fn start(signals: PictureSignals) {
    let Some(canvas) = page::show_frame() else { return };
    let on_event = Closure::<dyn Fn(String)>::new(|text: String| {
        if let (Some(explorer), Ok(event)) = (explorer(), serde_json::from_str(&text)) {
            explorer.take(event);
        }
    });
    if cytoscape::mount(&canvas, &on_event).is_err() {
        page::hide_frame();
        return;
    }
    // The page is its owner: it ends with it.
    on_event.forget();
    let state = PictureState { steps: AddressSteps::new(page::address()), palette: page::palette(), ..PictureState::default() };
    cytoscape::update(&PictureChange { style: Some(style_sheet(&state.palette)), ..PictureChange::default() });
    let explorer = Rc::new(Explorer { signals, state: RefCell::new(state), is_drawing: Cell::new(false) });
    EXPLORER.set(Some(Rc::clone(&explorer)));
    page::follow_rows(|id, is_added| with_explorer(|explorer| explorer.select_row(&id, is_added)));
    let shown = Rc::clone(&explorer);
    page::follow_filters(move || (shown.address(), shown.seeds()));
    let shown = Rc::clone(&explorer);
    page::follow_fragment(move || page::replace_address(&shown.address()));
    spawn_local(async move {
        if let Err(problem) = explorer.draw_address().await {
            explorer.say(format!("Not drawn: {problem} The tables below are complete."));
        }
    });
}

/// Ends the picture.
pub fn stop() {
    if EXPLORER.take().is_some() {
        let _ = cytoscape::destroy();
    }
}

/// Carries out the action of a button.
pub fn act(action: PictureAction) {
    with_explorer(|explorer| explorer.act(action));
}

/// Carries out a key of the picture.
pub fn press(event: KeyboardEvent) {
    if event.ctrl_key() || event.meta_key() || event.alt_key() {
        return;
    }
    let key = event.key();
    match (PictureAction::of_key(&key), key.as_str()) {
        (Some(action), _) => act(action),
        (None, "ArrowRight" | "ArrowDown") => with_explorer(|explorer| explorer.move_selection(true)),
        (None, "ArrowLeft" | "ArrowUp") => with_explorer(|explorer| explorer.move_selection(false)),
        (None, "+") => zoom(ZOOM_STEP),
        (None, "-") => zoom(1.0 / ZOOM_STEP),
        _ => return,
    }
    event.prevent_default();
    event.stop_propagation();
}

/// Shows what was stated by a month of the slider.
pub fn show_month(month: &str) {
    let Ok(month) = month.parse() else { return };
    with_explorer(|explorer| {
        explorer.signals.slider.update(|slider| slider.month = month);
        explorer.show_until();
    });
}

/// Keeps the month of the slider in the address.
pub fn keep_month() {
    with_explorer(|explorer| {
        let until = explorer.signals.slider.get_untracked().until();
        explorer.go(explorer.address().until(until));
    });
}

/// Draws the outline around the entities to select; its end selects them.
pub fn draw_outline(event: &PointerEvent, step: OutlineStep) {
    let Some(surface) = event.current_target().and_then(|target| target.dyn_into::<Element>().ok()) else { return };
    with_explorer(|explorer| match step {
        OutlineStep::Begin => {
            let _ = surface.set_pointer_capture(event.pointer_id());
            explorer.is_drawing.set(true);
            explorer.add_corner(&surface, event);
        }
        OutlineStep::Extend if explorer.is_drawing.get() => explorer.add_corner(&surface, event),
        OutlineStep::Extend => {}
        OutlineStep::End => measure(Purpose::Outline),
    });
}

fn explorer() -> Option<Rc<Explorer>> {
    EXPLORER.with_borrow(Clone::clone)
}

fn with_explorer(run: impl FnOnce(&Rc<Explorer>)) {
    if let Some(explorer) = explorer() {
        run(&explorer);
    }
}

fn zoom(factor: f64) {
    cytoscape::update(&PictureChange { zoom_by: Some(factor), ..PictureChange::default() });
}

fn measure(purpose: Purpose) {
    cytoscape::update(&PictureChange { measure: Some(purpose.name()), ..PictureChange::default() });
}

fn select(ids: Vec<String>) {
    cytoscape::update(&PictureChange { select: Some(ids), ..PictureChange::default() });
}

impl Explorer {
    fn say(&self, text: impl Into<String>) {
        self.signals.status.set(text.into());
    }

    fn address(&self) -> Address {
        self.state.borrow().steps.address.clone()
    }

    fn seeds(&self) -> Vec<String> {
        self.state.borrow().graph.seeds.iter().map(ToString::to_string).collect()
    }

    /// Returns the selected entities without the objects of features.
    fn selected_entities(&self) -> Vec<String> {
        let state = self.state.borrow();
        let is_entity = |id: &&String| state.scene.node(id).is_some_and(|node| !node.is_added);
        state.selected.iter().filter(is_entity).cloned().collect()
    }

    fn act(self: &Rc<Self>, action: PictureAction) {
        match action {
            PictureAction::Expand => self.expand_selected(),
            PictureAction::Hide => self.go(self.address().hide(&self.selected_entities())),
            PictureAction::Pin => self.go(self.address().toggle_pins(&self.selected_entities())),
            PictureAction::Path => match self.selected_entities().as_slice() {
                [from, to, ..] => self.go(self.address().with_path(&self.seeds(), from, to)),
                _ => self.say("Select two entities to find the paths between them."),
            },
            PictureAction::Undo => self.step(AddressSteps::undo),
            PictureAction::Redo => self.step(AddressSteps::redo),
            PictureAction::Lasso => {
                self.say("Draw a line around the entities to select.");
                self.is_drawing.set(false);
                self.signals.outline.set(Some(vec![]));
            }
            PictureAction::Fit => cytoscape::update(&PictureChange { fit: true, ..PictureChange::default() }),
            PictureAction::SavePng => self.save("graph.png", None),
            PictureAction::SaveSvg => measure(Purpose::Svg),
        }
    }

    fn expand_selected(self: &Rc<Self>) {
        let state = self.state.borrow();
        let first = state.selected.iter().find(|id| state.scene.node(id).is_some()).cloned();
        drop(state);
        match first {
            Some(id) => self.expand(&id),
            None => self.say("Select an entity to expand."),
        }
    }

    /// Expands an entity, or collapses it.
    fn expand(self: &Rc<Self>, id: &str) {
        if self.state.borrow().scene.node(id).is_some_and(|node| node.is_added) {
            self.say("Only entities can be expanded.");
            return;
        }
        match self.address().toggle_seed(&self.seeds(), id) {
            Some(next) => self.go(next),
            None => self.say("This is the only expanded entity."),
        }
    }

    /// Goes to another address, and remembers the one before.
    fn go(self: &Rc<Self>, next: Address) {
        self.step(|steps| steps.go(next));
    }

    /// Changes the address; draws it and replaces the tables where it is another one.
    fn step(self: &Rc<Self>, change: impl FnOnce(&mut AddressSteps) -> bool) {
        let mut state = self.state.borrow_mut();
        let is_changed = change(&mut state.steps);
        let (can_undo, can_redo, address) = (state.steps.can_undo(), state.steps.can_redo(), state.steps.address.clone());
        drop(state);
        if !is_changed {
            return;
        }
        page::replace_address(&address);
        self.signals.can_undo.set(can_undo);
        self.signals.can_redo.set(can_redo);
        let explorer = Rc::clone(self);
        spawn_local(async move {
            let drawn = explorer.draw_address().await;
            explorer.report_problem(drawn);
        });
        let explorer = Rc::clone(self);
        spawn_local(async move {
            let replaced = explorer.replace_tables(address).await;
            explorer.report_problem(replaced);
        });
    }

    fn report_problem(&self, done: Result<(), String>) {
        if let Err(problem) = done {
            self.say(format!("Not loaded: {problem} Reload the page."));
        }
    }

    async fn replace_tables(&self, address: Address) -> Result<(), String> {
        let page = page::load_page(&address).await?;
        // A slower answer to an earlier address is left out.
        if self.address() == address {
            page::replace_tables(&page, &address);
            self.mark_rows();
        }
        Ok(())
    }

    /// Loads the subgraph of the address and draws it; nodes that stay keep their position.
    async fn draw_address(&self) -> Result<(), String> {
        let address = self.address();
        let graph = page::load_graph(&address).await?;
        if self.address() == address {
            self.draw(graph, &address);
        }
        Ok(())
    }

    fn draw(&self, graph: PictureGraph, address: &Address) {
        let colour = if address.get("colour") == Some("kind") { NodeColour::Kind } else { NodeColour::Group };
        let scene = Scene::new(&graph, colour);
        let slider = self.signals.slider.get_untracked().over(months(&scene), until(address));
        let hidden = scene.hidden(slider.until());
        let mut state = self.state.borrow_mut();
        let is_new = |id: &str| state.scene.node(id).is_none();
        let (has_new, is_first) =
            (scene.nodes.iter().any(|node| is_new(&node.id)), scene.nodes.iter().all(|node| is_new(&node.id)));
        let change = SceneChange {
            elements: scene.elements(&state.palette),
            hidden: &hidden,
            pinned: address.all("pin"),
            layout: has_new.then(|| scene.layout(is_first)),
        };
        let entities = count(graph.nodes.len(), "entity", "entities");
        let relationships = count(graph.edges.len(), "relationship", "relationships");
        let status = [vec![format!("{entities}, {relationships}.")], graph.notices.clone()].concat().join(" ");
        let legend = legend_lines(&scene, &state.palette);
        state.scene = scene;
        state.graph = graph;
        state.hidden.clone_from(&hidden);
        drop(state);
        self.signals.slider.set(slider);
        self.signals.legend.set(legend);
        cytoscape::update(&PictureChange { scene: Some(change), ..PictureChange::default() });
        self.mark_rows();
        self.say(status);
    }

    /// Shows what was stated by the month of the slider.
    fn show_until(&self) {
        let hidden = self.state.borrow().scene.hidden(self.signals.slider.get_untracked().until());
        cytoscape::update(&PictureChange { hidden: Some(&hidden), ..PictureChange::default() });
        self.state.borrow_mut().hidden = hidden;
    }

    /// Carries out what happened in the picture.
    fn take(self: &Rc<Self>, event: PictureEvent) {
        match event {
            PictureEvent::Selected { ids } => {
                let lines = selection_lines(&self.state.borrow().scene, &ids);
                self.state.borrow_mut().selected = ids;
                self.signals.selection.set(lines);
                self.mark_rows();
            }
            PictureEvent::Opened { id } => {
                let node = self.state.borrow().scene.node(&id).cloned();
                match node {
                    Some(node) if node.is_added => page::open(&node.href),
                    _ => self.expand(&id),
                }
            }
            PictureEvent::Recoloured => self.recolour(),
            PictureEvent::Placed(placed) => match placed.purpose {
                Purpose::Labels => self.place_labels(&placed),
                Purpose::Outline => self.select_outlined(&placed),
                Purpose::Svg => {
                    let state = self.state.borrow();
                    let drawing = svg(&state.scene, &placed, &state.palette);
                    drop(state);
                    self.save("graph.svg", Some(drawing));
                }
            },
        }
    }

    /// Takes over the colours of the page.
    fn recolour(&self) {
        let palette = page::palette();
        let mut state = self.state.borrow_mut();
        let legend = legend_lines(&state.scene, &palette);
        let (elements, hidden) = (state.scene.elements(&palette), state.hidden.clone());
        let (style, pinned) = (style_sheet(&palette), state.steps.address.all("pin"));
        state.palette = palette;
        drop(state);
        self.signals.legend.set(legend);
        let scene = SceneChange { elements, hidden: &hidden, pinned, layout: None };
        cytoscape::update(&PictureChange { style: Some(style), scene: Some(scene), ..PictureChange::default() });
    }

    /// Keeps the labels at one size, and leaves out those without room.
    fn place_labels(&self, placed: &PlacedPicture) {
        let state = self.state.borrow();
        let unlabelled = unlabelled(&state.scene, &placed.nodes, placed.zoom, &state.selected);
        drop(state);
        self.signals.nameless.set(unlabelled.len());
        let scale = 1.0 / placed.zoom;
        let style = json!({
            "font-size": LABEL.size * scale, "text-max-width": LABEL.width * scale, "text-margin-y": LABEL.gap * scale,
        });
        let labels = LabelChange { style, unlabelled };
        cytoscape::update(&PictureChange { labels: Some(labels), ..PictureChange::default() });
    }

    fn add_corner(&self, surface: &Element, event: &PointerEvent) {
        let area = surface.get_bounding_client_rect();
        let corner = Position { x: f64::from(event.client_x()) - area.x(), y: f64::from(event.client_y()) - area.y() };
        self.signals.outline.update(|corners| corners.get_or_insert_default().push(corner));
    }

    fn select_outlined(&self, placed: &PlacedPicture) {
        self.is_drawing.set(false);
        let corners = self.signals.outline.get_untracked().unwrap_or_default();
        self.signals.outline.set(None);
        let inside = if corners.len() < FEWEST_CORNERS { vec![] } else { enclosed(placed, &corners) };
        self.say(format!("{} selected.", inside.len()));
        select(inside);
    }

    fn save(&self, name: &str, svg: Option<String>) {
        let background = self.state.borrow().palette.sheet.clone();
        let file = PictureFile { name, background: &background, svg };
        cytoscape::update(&PictureChange { save: Some(file), ..PictureChange::default() });
    }

    fn mark_rows(&self) {
        let selected = self.state.borrow().selected.clone();
        page::mark_rows(&selected);
    }

    /// Selects the element of a row, and brings it to the centre.
    fn select_row(&self, id: &str, is_added: bool) {
        let state = self.state.borrow();
        if state.scene.node(id).is_none() && state.scene.edge(id).is_none() {
            return;
        }
        let mut selected = if is_added { state.selected.clone() } else { vec![] };
        drop(state);
        if let Some(at) = selected.iter().position(|other| other == id) {
            selected.remove(at);
            select(selected);
            return;
        }
        selected.push(id.to_owned());
        let centre = Some(Centre { id, duration: page::movement_ms() });
        cytoscape::update(&PictureChange { select: Some(selected), centre, ..PictureChange::default() });
    }

    /// Selects the next visible entity by name, or the one before.
    fn move_selection(&self, is_forward: bool) {
        let state = self.state.borrow();
        let next = state.scene.neighbour(&state.selected, &state.hidden, is_forward);
        drop(state);
        if let Some(next) = next {
            select(vec![next]);
        }
    }
}

fn months(scene: &Scene) -> impl Iterator<Item = i32> + '_ {
    scene.edges.iter().filter_map(|edge| edge.month)
}

/// Returns the end of the period in the address, where it names a month.
fn until(address: &Address) -> Option<&str> {
    address.get("until").filter(|until| until.len() >= "2026-11".len())
}

fn legend_lines(scene: &Scene, palette: &Palette) -> Vec<LegendLine> {
    let lines = scene.legend.iter().map(|entry| LegendLine {
        text: format!("{} ({})", entry.name, entry.count),
        colour: entry.place.map(|place| palette.hue(place)),
    });
    lines.collect()
}
