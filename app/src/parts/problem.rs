//! Error pages and form messages.

use crate::{
    AppError, Fault, Notice,
    parts::{AuthLayout, Frame, NavItem},
};
use domain::user::User;
use leptos::prelude::*;
use leptos_meta::Title;

/// Error page in the frame of its viewer; sets the status of the response.
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
