//! The question of a page. A long one is cut; the full text opens below.

use crate::prelude::*;

/// Characters of a question that stand in a heading or a line.
const SHOWN_CHARS: usize = 240;

/// The question as the first heading of its page.
#[component]
pub fn QuestionHeading(text: String) -> impl IntoView {
    view! {
        <h1 class="question">{format::abridged(&text, SHOWN_CHARS)}</h1>
        <WholeQuestion text />
    }
}

/// The question as a line under another heading.
#[component]
pub fn QuestionLine(text: String) -> impl IntoView {
    view! {
        <p class="asked"><span class="muted">"Question: "</span>{format::abridged(&text, SHOWN_CHARS)}</p>
        <WholeQuestion text />
    }
}

#[component]
fn WholeQuestion(text: String) -> impl IntoView {
    (text.chars().count() > SHOWN_CHARS).then(|| {
        view! {
            <details class="fold">
                <summary>"Full question"</summary>
                <p class="whole-question">{text}</p>
            </details>
        }
    })
}
