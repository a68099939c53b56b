//! Tags and notes of readers on a report or a document, with the forms that add and remove them.

use crate::{
    format,
    parts::{Confirm, TagLink},
};
use domain::{
    UserId,
    annotation::{AnnotationSubject, MAX_NOTE_CHARS, MAX_TAG_CHARS, Note, Tag},
};
use leptos::prelude::*;

/// Tags and notes of a subject, with their forms.
#[component]
pub fn ReaderNotes(
    #[prop(into)] subject: AnnotationSubject,
    viewer: UserId,
    /// Whether the viewer may remove the notes of others.
    is_admin: bool,
    tags: Vec<Tag>,
    notes: Vec<Note>,
) -> impl IntoView {
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
        view! {
            <li>
                <TagLink list tag=tag.clone() />
                <form method="post" action=format!("{page}/untag")>
                    <input type="hidden" name="tag" value=tag.as_str().to_owned() />
                    <button type="submit" class="quiet" aria-label=label>"×"</button>
                </form>
            </li>
        }
    });
    let tags: Vec<_> = tags.collect();
    let notes = notes.into_iter().map(|note| {
        let Note { id: note, text, by, name, at } = note;
        let may_remove = by == viewer || is_admin;
        let label = format!("Remove the note of {name}");
        let action = format!("{page}/notes/remove");
        let remove = may_remove.then(|| {
            view! {
                <Confirm text="Remove…" about=format!("the note of {name}") warning="The note is deleted for all readers.">
                    <form method="post" action=action>
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
                {remove}
            </li>
        }
    });
    let notes: Vec<_> = notes.collect();
    view! {
        <section class="reader-notes" aria-labelledby="notes-title" id="notes">
            <h2 id="notes-title">"Tags and notes"</h2>
            {(!tags.is_empty()).then(|| view! { <ul class="tags">{tags}</ul> })}
            <form method="post" action=format!("{page}/tag") class="manage">
                <label for="tag">"Add tag"</label>
                <input id="tag" name="tag" type="text" autocomplete="off" maxlength=MAX_TAG_CHARS.to_string() required />
                <button type="submit" class="outline">"Add"</button>
            </form>
            {(!notes.is_empty()).then(|| view! { <ol class="note-list">{notes}</ol> })}
            <form method="post" action=format!("{page}/notes") class="form form-wide">
                <div class="field">
                    <label for="note">"Add note"</label>
                    <textarea id="note" name="note" rows="3" maxlength=MAX_NOTE_CHARS.to_string() required></textarea>
                </div>
                <p class="hint">{hint}</p>
                <button type="submit" class="outline">"Add note"</button>
            </form>
        </section>
    }
    .into_any()
}
