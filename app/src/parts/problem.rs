//! What went wrong, and what to do: a page that cannot be shown, and a form that was sent back.

use crate::{
    AppError, Fault, Notice,
    parts::{AuthLayout, Frame, NavItem},
};
use domain::user::User;
use leptos::prelude::*;
use leptos_meta::Title;

/// Stands where a page cannot be shown, in the frame that its reader knows; gives the response its status.
#[component]
pub fn Problem(error: AppError, viewer: Option<User>) -> impl IntoView {
    #[cfg(feature = "ssr")]
    crate::session::set_status(&error);
    let title = error.fault.title();
    let (href, way) = match error.fault {
        Fault::SignedOut => ("/sign-in", "Sign in"),
        _ => ("/", "To the dashboard"),
    };
    let words = view! {
        <h1>{title}</h1>
        <p>{error.message}</p>
        <p><a class="button" href=href>{way}</a></p>
    };
    let whole = match viewer {
        Some(viewer) => view! { <Frame viewer nav=NavItem::Other>{words}</Frame> }.into_any(),
        None => view! { <AuthLayout>{words}</AuthLayout> }.into_any(),
    };
    view! {
        <Title text=title />
        {whole}
    }
    .into_any()
}

/// The message for `?error=CODE`, or nothing.
#[component]
pub fn NoticeBanner(code: Option<String>) -> impl IntoView {
    code.map(|code| {
        let notice = Notice::parse(&code).unwrap_or(Notice::Internal);
        view! { <p class="notice" role="alert">{notice.message()}</p> }
    })
}
