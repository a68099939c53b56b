//! Tags and notes of readers on a report or a document, with the forms that add and remove them.

use crate::{parts::TagLink, prelude::*};
use domain::annotation::{AnnotationSubject, MAX_NOTE_CHARS, MAX_TAG_CHARS, NOTES_PER_PAGE, Note, Tag};
use std::ops::Range;

/// Values of a refused form.
#[derive(Debug, Clone, Default)]
pub struct TypedRemark {
    pub tag: String,
    pub note: String,
}

/// Tags and notes of a subject, with their forms.
#[component]
pub fn ReaderNotes(
    #[prop(into)] subject: AnnotationSubject,
    viewer: UserId,
    /// Whether the viewer may remove the notes of others.
    is_admin: bool,
    /// Whether the viewer may remove the tags of others.
    may_tidy: bool,
    tags: Vec<Tag>,
    own_tags: Vec<Tag>,
    notes: Vec<Note>,
    /// Page of the notes from 1, the newest first.
    notes_page: usize,
    /// Tab of the subject to come back to, as its address has it; empty: the first.
    #[prop(optional)]
    tab: &'static str,
    #[prop(optional)] typed: TypedRemark,
) -> impl IntoView {
    let tab_field = move || (!tab.is_empty()).then(|| view! { <input type="hidden" name="tab" value=tab /> });
    let (list, page, hint) = match subject {
        AnnotationSubject::Assessment(id) => {
            ("/assessments", format!("/assessments/{id}"), "Everybody who can read this report sees its tags and notes.")
        }
        AnnotationSubject::Document(id) => {
            ("/documents", format!("/documents/{id}"), "Everybody who can read this document sees its tags and notes.")
        }
    };
    let tags = tags.into_iter().map(|tag| {
        let label = format!("Remove the tag {}", tag.as_str());
        let remove = (may_tidy || is_admin || own_tags.contains(&tag)).then(|| {
            view! {
                <form method="post" action=format!("{page}/untag")>
                    {tab_field()}
                    <input type="hidden" name="tag" value=tag.as_str().to_owned() />
                    <button type="submit" class="quiet" aria-label=label>"×"</button>
                </form>
            }
        });
        view! { <li><TagLink list tag /> {remove}</li> }
    });
    let tags: Vec<_> = tags.collect();
    let (shown, earlier, later) = page_of(notes.len(), notes_page);
    let link = |number: Option<usize>, text: &'static str| {
        let here = if tab.is_empty() { page.clone() } else { format!("{page}/{tab}") };
        let href = number.map(|number| format!("{here}?notes={number}#notes"));
        href.map(|href| view! { <a href=href>{text}</a> " " })
    };
    let links = (earlier.is_some() || later.is_some()).then(|| {
        view! { <p>{link(earlier, "Earlier notes")} {link(later, "Later notes")}</p> }
    });
    let notes = notes[shown].iter().cloned().map(|note| {
        let Note { id: note, text, by, name, at } = note;
        let may_remove = by == viewer || is_admin;
        let label = format!("Remove the note of {name}");
        let action = format!("{page}/notes/remove");
        let (about, whose) = (format!("the notes of {name}"), format!("Remove all of {name}"));
        let action_all = format!("{page}/notes/remove-all");
        let remove_all = is_admin.then(|| {
            view! {
                <Confirm
                    text="Remove all of this person…"
                    about=about
                    warning="All notes, contested ratings and tags of this person here are deleted for all readers."
                >
                    <form method="post" action=action_all>
                        {tab_field()}
                        <input type="hidden" name="person" value=by.to_string() />
                        <button type="submit" class="outline" aria-label=whose>"Remove all"</button>
                    </form>
                </Confirm>
            }
        });
        let remove = may_remove.then(|| {
            view! {
                <Confirm text="Remove…" about=format!("the note of {name}") warning="The note is deleted for all readers.">
                    <form method="post" action=action>
                        {tab_field()}
                        <input type="hidden" name="note" value=note.to_string() />
                        <button type="submit" class="outline" aria-label=label>"Remove the note"</button>
                    </form>
                </Confirm>
            }
        });
        view! {
            <li>
                <p class="muted">{name.clone()} ", " <time datetime=at.to_string()>{format::minute(at)}</time></p>
                <p class="note-text">{text}</p>
                {remove} {remove_all}
            </li>
        }
    });
    let notes: Vec<_> = notes.collect();
    let (has_tag, has_note) = (!typed.tag.is_empty(), !typed.note.is_empty());
    view! {
        <section class="reader-notes" aria-labelledby="notes-title" id="notes">
            <h2 id="notes-title">"Tags and notes"</h2>
            {(!tags.is_empty()).then(|| view! { <ul class="tags">{tags}</ul> })}
            <details open=has_tag>
                <summary>"+ Tag"</summary>
                <form method="post" action=format!("{page}/tag") class="manage">
                    {tab_field()}
                    <label for="tag">"Add tag"</label>
                    <input
                        id="tag"
                        name="tag"
                        type="text"
                        autocomplete="off"
                        maxlength=MAX_TAG_CHARS.to_string()
                        required
                        value=typed.tag
                    />
                    <button type="submit" class="outline">"Add"</button>
                </form>
            </details>
            {(!notes.is_empty()).then(|| view! { <ol class="note-list">{notes}</ol> })}
            {links}
            <details open=has_note>
                <summary>"+ Note"</summary>
                <form method="post" action=format!("{page}/notes") class="form form-wide">
                    {tab_field()}
                    <div class="field">
                        <label for="note">"Add note"</label>
                        <textarea id="note" name="note" rows="3" maxlength=MAX_NOTE_CHARS.to_string() required>{format::as_text(&typed.note)}</textarea>
                    </div>
                    <p class="hint">{hint}</p>
                    <button type="submit" class="outline">"Add note"</button>
                </form>
            </details>
        </section>
    }
}

/// Returns the notes of a page, counted from the newest, and the numbers of the pages with earlier and with later ones.
fn page_of(notes: usize, page: usize) -> (Range<usize>, Option<usize>, Option<usize>) {
    let page = page.clamp(1, notes.div_ceil(NOTES_PER_PAGE).max(1));
    let end = notes - (page - 1) * NOTES_PER_PAGE;
    let start = end.saturating_sub(NOTES_PER_PAGE);
    (start..end, (start > 0).then_some(page + 1), (page > 1).then(|| page - 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn notes_are_listed_twenty_per_page_newest_first() {
        for (notes, page, expected) in [
            (0, 1, (0..0, None, None)),
            (20, 1, (0..20, None, None)),
            (45, 1, (25..45, Some(2), None)),
            (45, 2, (5..25, Some(3), Some(1))),
            (45, 3, (0..5, None, Some(2))),
            (45, 99, (0..5, None, Some(2))),
        ] {
            assert_eq!(page_of(notes, page), expected, "{notes} notes, page {page}");
        }
    }
}
