//! Rendering of views, and a site of one feature, for the tests of features.

mod site;

pub use site::{TestAnswer, TestBrowser, TestSite};

use domain::{
    Timestamp, UserId,
    user::{Role, User},
};
use leptos::{config::LeptosOptions, prelude::*};
use leptos_meta::provide_meta_context;

/// Renders a page for an analyst, and checks what holds for every page: one main landmark, one first heading, no inline style or script.
pub fn render_page(draw: impl FnOnce(User) -> AnyView) -> String {
    let viewer = User::new(UserId(Default::default()), "ada", Role::Analyst, Timestamp::from_micros(0));
    let html = Owner::new().with(|| {
        provide_meta_context();
        provide_context(LeptosOptions::builder().output_name("autosint").build());
        draw(viewer).to_html()
    });
    assert!(html.contains("<main id=\"main\""), "no main landmark: {html}");
    assert_eq!(html.matches("<h1").count(), 1, "one first heading: {html}");
    assert!(!html.contains(" style=") && !html.contains(" onclick="), "the content policy refuses this: {html}");
    html
}
