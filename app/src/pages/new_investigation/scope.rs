//! Fields of the question form that say what is read, and of which time.

use crate::prelude::*;
use domain::{fetch::address_problems, investigation::Reading};
use views::{CollectionChoice, Ownership, SourceChoice};

/// Choice of documents: the library, collections of it, or nothing but the sources of the question.
#[component]
pub(super) fn Documents(collections: Vec<CollectionChoice>, reading: Reading, chosen: Vec<CollectionId>) -> impl IntoView {
    let choices = [
        (Reading::Library, "The whole library"),
        (Reading::Chosen, "Only the collections ticked below"),
        (Reading::Added, "Only the files and pages added above"),
    ];
    let options = choices
        .into_iter()
        .filter(|(choice, _)| *choice != Reading::Chosen || !collections.is_empty())
        .map(|(choice, words)| view! { <option value=choice.as_str() selected={choice == reading}>{words}</option> })
        .collect_view();
    let boxes = collections
        .into_iter()
        .map(|CollectionChoice { id, name, ownership }| {
            let whose = match ownership {
                Ownership::Yours => "yours",
                Ownership::Team => "shared with your team",
                Ownership::Shared | Ownership::Sample => "shared",
            };
            view! {
                <li>
                    <label>
                        <input type="checkbox" name="collection" value=id.to_string() checked=chosen.contains(&id) />
                        {name} " " <span class="muted">"(" {whose} ")"</span>
                    </label>
                </li>
            }
        })
        .collect_view();
    view! {
        <div class="field">
            <label for="reading">"Documents to read"</label>
            <select id="reading" name="reading">{options}</select>
            <ul class="choices" aria-label="Collections">{boxes}</ul>
        </div>
    }
}

/// Sources that the question searches. Administrators switch them here, for every question; a script does so without leaving the form.
#[component]
pub(super) fn SourcesOn(sources: Vec<SourceChoice>, may_switch: bool) -> impl IntoView {
    let (on, off): (Vec<_>, Vec<_>) = sources.into_iter().partition(|source| source.is_on);
    let names: Vec<String> = on.iter().map(|source| source.name.clone()).collect();
    let text = match (names.is_empty(), may_switch) {
        (false, _) => format!("Searched on the web: {}.", names.join(", ")),
        (true, true) => "All sources are off: the web is not searched.".to_owned(),
        (true, false) => "All sources are off: the web is not searched. An administrator can turn sources on.".to_owned(),
    };
    let switches = (may_switch && !(on.is_empty() && off.is_empty())).then(|| {
        let items = on.into_iter().chain(off).map(|SourceChoice { id, name, is_on }| {
            let (form, label) = (if is_on { SWITCH_OFF } else { SWITCH_ON }, name.clone());
            view! {
                <li>
                    <button type="submit" form=form name="source" value=id class="switch" role="switch" aria-checked=is_on.to_string() data-source=label>
                        <span class="switch-track" aria-hidden="true"></span>
                        <span>{name}</span>
                    </button>
                </li>
            }
        });
        view! {
            <details class="source-choices">
                <summary>"Turn sources on or off, for all questions"</summary>
                <ul>{items.collect_view()}</ul>
                <p class="field-error" id="sources-error" role="alert"></p>
                <p class="hint"><a href="/sources">"All sources, with those that need a key"</a></p>
            </details>
        }
    });
    view! {
        <div class="field">
            <p class="hint" id="sources-on" role="status">{text}</p>
            {switches}
        </div>
    }
}

/// Ids of the forms of the switches, which stand outside of the question form.
const SWITCH_ON: &str = "source-on";
const SWITCH_OFF: &str = "source-off";

/// Forms of the switches; `next` is the address of the question form.
#[component]
pub(super) fn SwitchForms(next: String) -> impl IntoView {
    [(SWITCH_ON, "true"), (SWITCH_OFF, "false")].map(|(id, on)| {
        view! {
            <form id=id method="post" action="/sources/switch" hidden>
                <input type="hidden" name="on" value=on />
                <input type="hidden" name="next" value=next.clone() />
            </form>
        }
    })
}

/// Days of publication.
#[component]
pub(super) fn PublicationPeriod(from: String, until: String, is_wrong: bool) -> impl IntoView {
    let invalid = is_wrong.then_some("true");
    let described = if is_wrong { "period-error period-hint" } else { "period-hint" };
    view! {
        <div class="field">
            <div class="pair">
                <div>
                    <label for="from">"Published from"</label>
                    <input id="from" name="from" type="date" value=from aria-invalid=invalid aria-describedby=described />
                </div>
                <div>
                    <label for="until">"Published until"</label>
                    <input id="until" name="until" type="date" value=until aria-invalid=invalid aria-describedby=described />
                </div>
            </div>
            {is_wrong.then(|| view! {
                <p class="field-error" id="period-error">"The last day is before the first, or one is no date. Enter dates such as 2031-03-14."</p>
            })}
            <p class="hint" id="period-hint">"Leave both empty for any time. With a period, documents without a date are left out."</p>
        </div>
    }
}

/// Field for addresses, with the invalid ones beside it.
#[component]
pub(super) fn Addresses(typed: String) -> impl IntoView {
    let problems = address_problems(&typed);
    let is_wrong = !problems.is_empty();
    let items = problems
        .into_iter()
        .map(|(address, why)| view! { <li><code>{address}</code> {format!(" {why}.")}</li> })
        .collect_view();
    let described = if is_wrong { "addresses-error addresses-hint" } else { "addresses-hint" };
    view! {
        <label for="addresses">"Web pages"</label>
        <textarea
            id="addresses"
            name="addresses"
            rows="2"
            spellcheck="false"
            autocapitalize="off"
            placeholder="https://example.org/report"
            data-addresses
            aria-invalid=is_wrong.then_some("true")
            aria-describedby=described
        >{super::as_text(&typed)}</textarea>
        <div class="field-error" id="addresses-error" aria-live="polite">{is_wrong.then(|| view! { <ul>{items}</ul> })}</div>
        <p class="hint" id="addresses-hint">"One address per line. Pages that block robots are skipped."</p>
    }
}
