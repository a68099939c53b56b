//! Every page, rendered on the server with fictional data. With `AUTOSINT_PREVIEW=FOLDER` the pages are left there to look at.

mod administration;
mod brief_counts;
mod graph;
mod home;
mod investigations;
mod library;
mod reports;
mod visibility;

use super::{
    assessment::{Html, PageBody as AssessmentWhole},
    fixtures,
};
use crate::prelude::*;
use leptos_meta::provide_meta_context;

/// Renders a page without the marks that Leptos puts between nodes, and checks the rules that all pages keep.
#[expect(clippy::disallowed_methods, reason = "a test may be told where to leave its pages")]
fn rendered<V: IntoView + 'static>(name: &str, view: impl FnOnce() -> V) -> String {
    let html = Owner::new().with(|| {
        provide_meta_context();
        provide_context(LeptosOptions::builder().output_name("autosint").build());
        view().to_html()
    });
    let html = html.replace("<!>", "").replace("<!--<() />-->", "");
    if let Ok(folder) = std::env::var("AUTOSINT_PREVIEW") {
        let page = format!(
            "<!DOCTYPE html><html lang=en><meta charset=utf-8><meta name=viewport content='width=device-width'>\
             <link rel=stylesheet href=autosint.css><body>{html}"
        );
        std::fs::write(format!("{folder}/{name}.html"), page).expect("the folder takes files");
    }
    assert!(html.contains("<main id=\"main\""), "{name} has no main landmark");
    assert_eq!(html.matches("<h1").count(), 1, "{name} has one first heading");
    assert!(!html.contains(" style=") && !html.contains(" onclick="), "{name} has what the content policy refuses");
    assert_eq!(html.contains("<leptos-island"), html.contains(".wasm"), "{name}: WebAssembly where there are islands");
    html
}

/// Checks that a page has each of these texts, which have a `|` between them.
fn assert_shows(html: &str, texts: &str) {
    for text in texts.split('|') {
        assert!(html.contains(text), "{text} is missing: {html}");
    }
}

fn tab(name: &str, viewer: User, view: AssessmentView, tab: Tab) -> String {
    let page = Html::new(&view.assessment);
    rendered(name, || view! { <AssessmentWhole viewer view html=page tab /> })
}

/// The tabs of an assessment, one after another.
fn tabs(name: &str, view: &AssessmentView) -> [String; 4] {
    [(Tab::Brief, "brief"), (Tab::Analysis, "analysis"), (Tab::Evidence, "evidence"), (Tab::Work, "work")]
        .map(|(one, suffix)| tab(&format!("{name}-{suffix}"), fixtures::viewer(), view.clone(), one))
}
