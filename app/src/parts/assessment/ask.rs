//! Buttons that open the question form with a draft.

use crate::prelude::*;
use domain::investigation::FollowKind;

/// A button that opens the question form with `draft` in it; nothing is started.
#[component]
pub fn AskButton(
    draft: String,
    text: &'static str,
    /// Question that it continues, and how.
    #[prop(optional)]
    follows: Option<(InvestigationId, FollowKind)>,
) -> impl IntoView {
    let follows = follows.map(|(id, kind)| {
        view! {
            <input type="hidden" name="follows" value=id.to_string() />
            <input type="hidden" name="kind" value=kind.as_str() />
        }
    });
    view! {
        <form class="ask-button" method="post" action="/investigations/draft">
            {follows}
            <input type="hidden" name="draft" value=draft />
            <button type="submit" class="quiet">{text}</button>
        </form>
    }
}
