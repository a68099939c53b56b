//! The script `public/graph-cytoscape.js`, which draws with Cytoscape.js.

use super::super::scene::SceneElement;
use serde::Serialize;
use serde_json::Value;
use std::collections::HashSet;
use wasm_bindgen::{JsValue, closure::Closure, prelude::wasm_bindgen};
use web_sys::Element;

#[wasm_bindgen]
unsafe extern "C" {
    #[wasm_bindgen(catch, js_namespace = graphPicture)]
    pub fn mount(container: &Element, on_event: &Closure<dyn Fn(String)>) -> Result<(), JsValue>;

    #[wasm_bindgen(catch, js_namespace = graphPicture, js_name = update)]
    fn update_picture(change: &str) -> Result<(), JsValue>;

    #[wasm_bindgen(catch, js_namespace = graphPicture)]
    pub fn destroy() -> Result<(), JsValue>;
}

/// Change of the picture; a field that is left out changes nothing.
#[derive(Default, Serialize)]
pub struct PictureChange<'a> {
    pub style: Option<Value>,
    pub scene: Option<SceneChange<'a>>,
    pub hidden: Option<&'a HashSet<String>>,
    pub labels: Option<LabelChange>,
    pub select: Option<Vec<String>>,
    pub centre: Option<Centre<'a>>,
    pub zoom_by: Option<f64>,
    pub fit: bool,
    /// Purpose for which positions are reported.
    pub measure: Option<&'static str>,
    pub save: Option<PictureFile<'a>>,
}

/// Everything that is drawn. Without a layout, nodes stay where they are.
#[derive(Serialize)]
pub struct SceneChange<'a> {
    pub elements: Vec<SceneElement>,
    pub hidden: &'a HashSet<String>,
    pub pinned: Vec<String>,
    pub layout: Option<Value>,
}

/// Style of the labels at the present zoom, and the nodes without one.
#[derive(Serialize)]
pub struct LabelChange {
    pub style: Value,
    pub unlabelled: Vec<String>,
}

/// Element that moves to the centre.
#[derive(Serialize)]
pub struct Centre<'a> {
    pub id: &'a str,
    pub duration: u32,
}

/// File of the picture: a drawing, or the pixels.
#[derive(Serialize)]
pub struct PictureFile<'a> {
    pub name: &'a str,
    pub background: &'a str,
    pub svg: Option<String>,
}

/// Carries out a change. The tables are complete where the picture fails.
pub fn update(change: &PictureChange<'_>) {
    if let Ok(text) = serde_json::to_string(change) {
        let _ = update_picture(&text);
    }
}
