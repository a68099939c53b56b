//! Error pages and form messages.

use crate::{Fault, NoticeAction, parts::AuthLayout, prelude::*};

/// Error page in the frame of its viewer; sets the status of the response.
#[component]
pub fn Problem(error: AppError, viewer: Option<User>) -> impl IntoView {
    crate::session::set_status(&error);
    let title = error.fault.title();
    let ways =
        ways(error.fault).iter().map(|(href, text)| view! { <a class="button" href=*href>{*text}</a> " " }).collect_view();
    let words = view! {
        <h1>{title}</h1>
        <p>{error.message}</p>
        <p>{ways}</p>
    };
    let whole = match viewer {
        Some(viewer) => view! { <Frame viewer nav=NavItem::Other>{words}</Frame> }.into_any(),
        None => view! { <AuthLayout>{words}</AuthLayout> }.into_any(),
    };
    view! {
        <Title text=title />
        {whole}
    }
}

/// Ways on from an error page, the best first.
const fn ways(fault: Fault) -> &'static [(&'static str, &'static str)] {
    match fault {
        Fault::SignedOut => &[("/sign-in", "Sign in")],
        Fault::NotFound => &[("/", "Back to home"), ("/search", "Search")],
        Fault::NotAllowed => &[("/", "Back to home"), ("/account", "See your account")],
        // The same address again.
        Fault::DiskFull | Fault::Unavailable | Fault::Internal => &[("", "Try again"), ("/", "Back to home")],
    }
}

/// The message for `?error=CODE`, or nothing.
#[component]
pub fn NoticeBanner(
    code: Option<String>,
    /// Value of the setting that the message names as `{limit}`.
    #[prop(optional_no_strip)]
    limit: Option<u64>,
) -> impl IntoView {
    code.map(|code| {
        let added = Contributions::of_page().notices.iter().find(|notice| notice.code == code).copied();
        let (message, action) = match added {
            Some(added) => (added.message, added.action),
            None => {
                let notice = Notice::parse(&code).unwrap_or(Notice::Internal);
                (notice.message(), notice.action())
            }
        };
        let message = match limit {
            Some(limit) => message.replace("{limit}", &format::grouped(limit)),
            None => message.to_owned(),
        };
        let NoticeAction { text, href } = action;
        view! { <p class="notice" role="alert">{message} " " <a href=href>{text}</a></p> }
    })
}
