//! Page around the picture: its address, colours, tables and filter form.

use super::super::{address::Address, scene::Palette};
use gloo_net::http::Request;
use leptos::prelude::{document, window};
use views::graph::PictureGraph;
use wasm_bindgen::{JsCast, JsValue, closure::Closure};
use web_sys::{
    Document, DomParser, Element, Event, FormData, HtmlElement, HtmlInputElement, HtmlOptionElement, HtmlSelectElement,
    KeyboardEvent, MouseEvent, SupportedType, js_sys::Reflect,
};

/// Tables that say the same as the picture.
const TWIN: &str = "graph-twin";
const FILTERS: &str = "graph-filters";
/// Rows of entities, objects and relationships.
const ROWS: &str = "[data-node], [data-edge]";
const UNREACHABLE: &str = "The server cannot be reached.";

/// Returns the frame of the picture and its canvas, shown from now on.
pub fn show_frame() -> Option<Element> {
    let frame = document().get_element_by_id("graph-canvas")?;
    let _ = frame.remove_attribute("hidden");
    frame.query_selector(".graph-picture").ok()?
}

/// Hides the frame, where nothing can be drawn.
pub fn hide_frame() {
    if let Some(frame) = document().get_element_by_id("graph-canvas") {
        let _ = frame.set_attribute("hidden", "");
    }
}

pub fn address() -> Address {
    Address::parse(&window().location().search().unwrap_or_default())
}

/// Puts the address into the bar of the browser; the open panel stays.
pub fn replace_address(address: &Address) {
    let hash = window().location().hash().unwrap_or_default();
    if let Ok(history) = window().history() {
        let _ = history.replace_state_with_url(&JsValue::NULL, "", Some(&format!("?{}{hash}", address.query())));
    }
}

pub fn open(href: &str) {
    let _ = window().location().assign(href);
}

/// Returns the milliseconds of a movement, which a person may have switched off.
pub fn movement_ms() -> u32 {
    if matches_media("(prefers-reduced-motion: reduce)") { 0 } else { 200 }
}

fn matches_media(query: &str) -> bool {
    window().match_media(query).ok().flatten().is_some_and(|list| list.matches())
}

/// Reads the colours and the font of the page. A probe resolves variables to colours that a canvas knows.
pub fn palette() -> Palette {
    let Some(root) = document().document_element() else { return Palette::default() };
    let is_dark = match root.get_attribute("data-theme").as_deref() {
        None | Some("") => matches_media("(prefers-color-scheme: dark)"),
        Some(theme) => theme == "dark",
    };
    let colour = |name: &str| probe_colour(name).unwrap_or_default();
    Palette {
        ink: colour("--ink"),
        muted: colour("--muted"),
        note: colour("--note"),
        sheet: colour("--sheet"),
        font: computed(&root, "--sans").unwrap_or_default().trim().to_owned(),
        is_dark,
    }
}

fn probe_colour(name: &str) -> Option<String> {
    let probe: HtmlElement = document().create_element("span").ok()?.dyn_into().ok()?;
    let colour = match matches_media("(forced-colors: active)") {
        true => forced_colour(name).to_owned(),
        false => format!("var({name})"),
    };
    // Forced colours would give letters and their background the same colour.
    probe.style().set_property("forced-color-adjust", "none").ok()?;
    probe.style().set_property("color", &colour).ok()?;
    document().body()?.append_child(&probe).ok()?;
    let colour = computed(&probe, "color");
    probe.remove();
    colour
}

/// Returns the colour of the system in place of our own, where a person has forced them.
fn forced_colour(name: &str) -> &'static str {
    match name {
        "--note" => "Highlight",
        "--sheet" => "Canvas",
        _ => "CanvasText",
    }
}

fn computed(element: &Element, property: &str) -> Option<String> {
    window().get_computed_style(element).ok().flatten()?.get_property_value(property).ok()
}

/// Loads the subgraph of an address; else returns why not.
pub async fn load_graph(address: &Address) -> Result<PictureGraph, String> {
    let request = Request::get(&format!("/graph/picture.json?{}", address.query()));
    let answer = request.send().await.map_err(|_| UNREACHABLE.to_owned())?;
    if !answer.ok() {
        return Err(format!("The server answered {}.", answer.status()));
    }
    let text = answer.text().await.map_err(|_| UNREACHABLE.to_owned())?;
    serde_json::from_str(&text).map_err(|_| "The answer of the server cannot be read.".to_owned())
}

/// Loads the page of an address.
pub async fn load_page(address: &Address) -> Result<Document, String> {
    let answer = Request::get(&format!("/graph?{}", address.query())).send().await.map_err(|_| UNREACHABLE.to_owned())?;
    let text = answer.text().await.map_err(|_| UNREACHABLE.to_owned())?;
    let page = DomParser::new().and_then(|parser| parser.parse_from_string(&text, SupportedType::TextHtml));
    page.map_err(|_| "The page cannot be read.".to_owned())
}

/// Replaces the tables, the filters that are not being edited, the address of the view to save, and the exports.
pub fn replace_tables(page: &Document, address: &Address) {
    if let Some((twin, fresh)) = document().get_element_by_id(TWIN).zip(page.get_element_by_id(TWIN)) {
        twin.set_inner_html(&fresh.inner_html());
    }
    if let Some((form, fresh)) = document().get_element_by_id(FILTERS).zip(page.get_element_by_id(FILTERS)) {
        refill(&form, &fresh);
    }
    if let Some(saved) = find::<HtmlInputElement>("#save-view [name=query]") {
        saved.set_value(&address.query());
    }
    let exports = page.query_selector(".exports").ok().flatten();
    if let Some((shown, fresh)) = find::<Element>(".exports").zip(exports) {
        let _ = shown.replace_with_with_node_1(&fresh);
    }
}

/// Takes over the fields of a fresh form. The form and its button stay, so that a click that has begun counts.
fn refill(form: &Element, fresh: &Element) {
    let focus = document().active_element();
    for field in all(fresh, "[name]:not([type=hidden])") {
        let name = field.get_attribute("name").unwrap_or_default();
        let shown = all(form, "[name]:not([type=hidden])")
            .into_iter()
            .find(|shown| shown.get_attribute("name").as_ref() == Some(&name));
        if let Some(shown) = shown.filter(|shown| focus.as_ref() != Some(shown) && !is_edited(shown)) {
            let _ = shown.replace_with_with_node_1(&field);
        }
    }
}

/// Returns whether a person has changed a field since it was shown.
fn is_edited(field: &Element) -> bool {
    if let Some(input) = field.dyn_ref::<HtmlInputElement>() {
        return match input.type_().as_str() {
            "checkbox" => input.checked() != input.default_checked(),
            _ => input.value() != input.default_value(),
        };
    }
    let Some(select) = field.dyn_ref::<HtmlSelectElement>() else { return false };
    let chosen = ["option[selected]", "option"].into_iter().find_map(|option| select.query_selector(option).ok().flatten());
    let chosen = chosen.and_then(|option| option.dyn_into::<HtmlOptionElement>().ok());
    chosen.is_some_and(|option| option.value() != select.value())
}

/// Rows of the tables, the rows of each table apart.
fn tables() -> Vec<(Element, Vec<HtmlElement>)> {
    let Some(twin) = document().get_element_by_id(TWIN) else { return vec![] };
    let rows =
        |table: &Element| all(table, ROWS).into_iter().filter_map(|row| row.dyn_into::<HtmlElement>().ok()).collect::<Vec<_>>();
    all(&twin, "table").into_iter().map(|table| (table.clone(), rows(&table))).collect()
}

/// Marks the rows of what is selected. One row of each table is in the tab order with its links: the arrow keys lead to the others.
pub fn mark_rows(selected: &[String]) {
    let focus = document().active_element();
    for (table, rows) in tables() {
        let _ = table.set_attribute("role", "grid");
        let _ = table.set_attribute("aria-multiselectable", "true");
        let is_selected = |row: &HtmlElement| row_id(row).is_some_and(|id| selected.contains(&id));
        for row in &rows {
            let _ = row.toggle_attribute_with_force("data-selected", is_selected(row));
            let _ = row.set_attribute("aria-selected", if is_selected(row) { "true" } else { "false" });
            set_tab_order(row, false);
        }
        let focused = rows.iter().find(|row| focus.as_ref().is_some_and(|focus| *focus == ***row));
        if let Some(row) = focused.or_else(|| rows.iter().find(|row| is_selected(row))).or(rows.first()) {
            set_tab_order(row, true);
        }
    }
}

/// Takes a row and its links into the tab order, or out of it.
fn set_tab_order(row: &HtmlElement, is_stop: bool) {
    let links = all(row, "a").into_iter().filter_map(|link| link.dyn_into::<HtmlElement>().ok());
    for element in links.chain([row.clone()]) {
        element.set_tab_index(if is_stop { 0 } else { -1 });
    }
}

/// Returns the id of the element that a row is about.
fn row_id(row: &Element) -> Option<String> {
    row.get_attribute("data-node").or_else(|| row.get_attribute("data-edge"))
}

/// Calls back with the row that is chosen by the pointer or by a key, and whether it is added to the selection.
pub fn follow_rows(on_choice: impl Fn(String, bool) + Clone + 'static) {
    let Some(twin) = document().get_element_by_id(TWIN) else { return };
    let choose = on_choice.clone();
    let click = Closure::<dyn Fn(MouseEvent)>::new(move |event: MouseEvent| {
        let target = event.target().and_then(|target| target.dyn_into::<Element>().ok());
        let is_link = target.as_ref().is_some_and(|target| matches!(target.closest("a"), Ok(Some(_))));
        let row = target.filter(|_| !is_link).and_then(|target| target.closest("tr").ok().flatten());
        if let Some(id) = row.as_ref().and_then(row_id) {
            choose(id, event.ctrl_key() || event.meta_key());
        }
    });
    let key = Closure::<dyn Fn(KeyboardEvent)>::new(move |event: KeyboardEvent| press_in_row(&event, &on_choice));
    let _ = twin.add_event_listener_with_callback("click", click.as_ref().unchecked_ref());
    let _ = twin.add_event_listener_with_callback("keydown", key.as_ref().unchecked_ref());
    // The page is their owner: they end with it.
    click.forget();
    key.forget();
}

/// Keys of a row: arrows lead to the next, space and enter select it, and with Ctrl or Cmd add it to the selection.
fn press_in_row(event: &KeyboardEvent, on_choice: &impl Fn(String, bool)) {
    let row = event.target().and_then(|target| target.dyn_into::<HtmlElement>().ok());
    let Some((row, id)) = row.and_then(|row| row_id(&row).map(|id| (row, id))) else { return };
    let next = match event.key().as_str() {
        "ArrowDown" => row.next_element_sibling(),
        "ArrowUp" => row.previous_element_sibling(),
        " " | "Enter" => {
            event.prevent_default();
            on_choice(id, event.ctrl_key() || event.meta_key());
            return;
        }
        _ => return,
    };
    if let Some(next) = next.and_then(|next| next.dyn_into::<HtmlElement>().ok()) {
        set_tab_order(&row, false);
        set_tab_order(&next, true);
        let _ = next.focus();
        event.prevent_default();
    }
}

/// Brings what the filter form sends up to date: its hidden fields are those of the page as it was loaded.
pub fn follow_filters(shown: impl Fn() -> (Address, Vec<String>) + 'static) {
    let Some(form) = document().get_element_by_id(FILTERS) else { return };
    let complete = Closure::<dyn Fn(Event)>::new(move |event: Event| {
        let data = Reflect::get(event.as_ref(), &JsValue::from_str("formData")).ok();
        let Some(data) = data.and_then(|data| data.dyn_into::<FormData>().ok()) else { return };
        let (address, seeds) = shown();
        for (key, values) in address.kept_fields(&seeds) {
            data.delete(key);
            for value in values {
                let _ = data.append_with_str(key, &value);
            }
        }
        // An empty name would end the paths that the picture has asked for meanwhile.
        let target = find::<Element>("#graph-filters [name=target]");
        if address.get("to").is_some() && !target.is_some_and(|target| is_edited(&target)) {
            data.delete("target");
        }
    });
    let _ = form.add_event_listener_with_callback("formdata", complete.as_ref().unchecked_ref());
    complete.forget();
}

/// Calls back when the fragment of the address changes: Back from a panel leads to an entry with the query of then.
pub fn follow_fragment(on_change: impl Fn() + 'static) {
    let changed = Closure::<dyn Fn()>::new(on_change);
    let _ = window().add_event_listener_with_callback("hashchange", changed.as_ref().unchecked_ref());
    changed.forget();
}

fn find<T: JsCast>(selector: &str) -> Option<T> {
    document().query_selector(selector).ok().flatten()?.dyn_into().ok()
}

fn all(root: &Element, selector: &str) -> Vec<Element> {
    let Ok(found) = root.query_selector_all(selector) else { return vec![] };
    (0..found.length()).filter_map(|at| found.item(at)?.dyn_into().ok()).collect()
}
