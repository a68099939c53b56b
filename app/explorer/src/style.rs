//! Style sheet of the picture, as Cytoscape.js takes it.

use super::{labels::LABEL, scene::Palette};
use serde_json::{Value, json};

/// Returns the style sheet in the colours of the page. Colours, sizes and arrows of single elements are among their data.
pub fn style_sheet(palette: &Palette) -> Value {
    let Palette { ink, muted, note, sheet, font, .. } = palette;
    json!([
        { "selector": "node", "style": {
            "label": "data(name)",
            "background-color": "data(colour)",
            "color": ink,
            "font-family": font,
            "font-size": LABEL.size,
            "text-valign": "bottom",
            "text-margin-y": LABEL.gap,
            "text-wrap": "wrap",
            "text-max-width": LABEL.width,
            "text-background-color": sheet,
            "text-background-opacity": 0.85,
            "text-background-padding": 1,
            "text-background-shape": "roundrectangle",
            "width": "data(size)",
            "height": "data(size)",
        } },
        { "selector": "node[?added]", "style": {
            "shape": "rectangle", "background-color": sheet, "border-width": 3, "border-color": note,
        } },
        { "selector": "node[?is_on_path]", "style": { "border-width": 3, "border-color": note, "font-weight": "bold" } },
        { "selector": "node[?seed]", "style": { "border-width": 3, "border-color": ink } },
        { "selector": "node.unlabelled", "style": { "label": "" } },
        { "selector": "node.hovered", "style": { "label": "data(name)", "z-index": 2 } },
        { "selector": "node:locked", "style": { "shape": "round-diamond" } },
        { "selector": "node:selected", "style": { "border-width": 4, "border-color": note } },
        { "selector": "edge", "style": {
            "width": "data(width)",
            "line-color": muted,
            "target-arrow-color": muted,
            "source-arrow-color": muted,
            "target-arrow-shape": "triangle",
            "source-arrow-shape": "data(arrow)",
            "curve-style": "bezier",
            "arrow-scale": 0.8,
            "opacity": 0.75,
        } },
        { "selector": "edge[?added]", "style": { "line-style": "dotted", "target-arrow-shape": "none" } },
        { "selector": "edge[asserted = 0]", "style": { "line-style": "dashed" } },
        { "selector": "edge[?is_on_path]", "style": {
            "line-color": note, "target-arrow-color": note, "source-arrow-color": note, "opacity": 1, "z-index": 1,
        } },
        { "selector": "edge:selected", "style": {
            "label": "data(description)",
            "line-color": note,
            "target-arrow-color": note,
            "source-arrow-color": note,
            "color": ink,
            "font-size": 12,
            "text-background-color": sheet,
            "text-background-opacity": 0.9,
            "text-background-padding": 3,
            "text-wrap": "wrap",
            "text-max-width": 220,
            "opacity": 1,
        } },
    ])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_style_has_the_colours_of_the_page() {
        let palette = Palette { ink: "black".into(), note: "red".into(), ..Palette::default() };
        let style = style_sheet(&palette);
        assert_eq!((&style[0]["style"]["color"], &style[7]["style"]["border-color"]), (&json!("black"), &json!("red")));
    }
}
