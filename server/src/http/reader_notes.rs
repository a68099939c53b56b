//! Form posts that tag and note an assessment or a document.

use super::{
    WebState,
    answer::{redirect, redirect_back, store_notice},
    audit::done,
    auth::SessionUser,
    client_address::ClientAddress,
};
use app::Notice;
use axum::{
    Form,
    body::Body,
    extract::{Path, State},
    http::Response,
};
use domain::{AssessmentId, DocumentId, NoteId, UserId, annotation::AnnotationSubject};
use engine::{
    StoreResult,
    annotations::{self, AnnotationRefusal, AnnotationResult},
};
use serde::Deserialize;
use std::{fmt::Display, str::FromStr};

/// Id of an object that readers tag and note, as its address has it.
pub(super) trait SubjectId: FromStr + Display + Copy + Into<AnnotationSubject> + Send {
    /// Address of the list; that of the object follows it.
    const LIST: &'static str;
    /// Tabs of the object beside the first, as its address has them.
    const TABS: &'static [&'static str];
}

impl SubjectId for AssessmentId {
    const LIST: &'static str = "/assessments";
    const TABS: &'static [&'static str] = &["evidence", "work"];
}

impl SubjectId for DocumentId {
    const LIST: &'static str = "/documents";
    const TABS: &'static [&'static str] = &[];
}

#[derive(Deserialize)]
pub(super) struct TagForm {
    #[serde(default)]
    tag: String,
    #[serde(default)]
    tab: String,
}

/// The text of a new note, or the id of one.
#[derive(Deserialize)]
pub(super) struct NoteForm {
    #[serde(default)]
    note: String,
    #[serde(default)]
    tab: String,
}

#[derive(Deserialize)]
pub(super) struct PersonForm {
    #[serde(default)]
    person: String,
    #[serde(default)]
    tab: String,
}

pub(super) async fn tag<Id: SubjectId>(
    State(web): State<WebState>,
    SessionUser(user): SessionUser,
    ClientAddress(address): ClientAddress,
    Path(id): Path<String>,
    Form(form): Form<TagForm>,
) -> Response<Body> {
    let Ok(id) = id.parse::<Id>() else { return redirect_back(Id::LIST, Notice::NotFound, &[]) };
    let result = annotations::tag(&web.program.engine, &user, id.into(), &form.tag).await;
    answer(done(&web, &user, address, "tag", &id.to_string(), result).await, id, &form.tab, &[("tag", form.tag.trim())])
}

pub(super) async fn untag<Id: SubjectId>(
    State(web): State<WebState>,
    SessionUser(user): SessionUser,
    ClientAddress(address): ClientAddress,
    Path(id): Path<String>,
    Form(form): Form<TagForm>,
) -> Response<Body> {
    let Ok(id) = id.parse::<Id>() else { return redirect_back(Id::LIST, Notice::NotFound, &[]) };
    let result = annotations::untag(&web.program.engine, &user, id.into(), &form.tag).await;
    answer(done(&web, &user, address, "untag", &id.to_string(), result).await, id, &form.tab, &[])
}

pub(super) async fn note<Id: SubjectId>(
    State(web): State<WebState>,
    SessionUser(user): SessionUser,
    ClientAddress(address): ClientAddress,
    Path(id): Path<String>,
    Form(form): Form<NoteForm>,
) -> Response<Body> {
    let Ok(id) = id.parse::<Id>() else { return redirect_back(Id::LIST, Notice::NotFound, &[]) };
    let result = annotations::note(&web.program.engine, &user, id.into(), &form.note).await;
    answer(
        done(&web, &user, address, "write_note", &id.to_string(), result).await,
        id,
        &form.tab,
        &[("note", form.note.trim())],
    )
}

pub(super) async fn remove_note<Id: SubjectId>(
    State(web): State<WebState>,
    SessionUser(user): SessionUser,
    ClientAddress(address): ClientAddress,
    Path(id): Path<String>,
    Form(form): Form<NoteForm>,
) -> Response<Body> {
    let (Ok(id), Ok(note)) = (id.parse::<Id>(), form.note.parse::<NoteId>()) else {
        return redirect_back(Id::LIST, Notice::NotFound, &[]);
    };
    let result = annotations::remove_note(&web.program.engine, &user, id.into(), note).await;
    answer(done(&web, &user, address, "remove_note", &id.to_string(), result).await, id, &form.tab, &[])
}

/// Removes everything that a person added, for administrators.
pub(super) async fn remove_all<Id: SubjectId>(
    State(web): State<WebState>,
    SessionUser(user): SessionUser,
    ClientAddress(address): ClientAddress,
    Path(id): Path<String>,
    Form(form): Form<PersonForm>,
) -> Response<Body> {
    let (Ok(id), Ok(person)) = (id.parse::<Id>(), form.person.parse::<UserId>()) else {
        return redirect_back(Id::LIST, Notice::NotFound, &[]);
    };
    let result = annotations::remove_all_of(&web.program.engine, &user, id.into(), person).await;
    let result = result.map(|removed| removed.map(drop));
    answer(done(&web, &user, address, "remove_notes", &format!("{id} of {person}"), result).await, id, &form.tab, &[])
}

/// Leads back to the tags and notes of the tab, after an error with what was typed.
fn answer<Id: SubjectId>(done: StoreResult<AnnotationResult>, id: Id, tab: &str, typed: &[(&str, &str)]) -> Response<Body> {
    let page = match Id::TABS.iter().find(|known| **known == tab) {
        Some(tab) => format!("{}/{id}/{tab}", Id::LIST),
        None => format!("{}/{id}", Id::LIST),
    };
    let notice = match done {
        Ok(Ok(())) => return redirect(&format!("{page}#notes")),
        Ok(Err(AnnotationRefusal::NotFound)) => return redirect_back(Id::LIST, Notice::NotFound, &[]),
        Ok(Err(AnnotationRefusal::NotAllowed)) => Notice::NotAllowed,
        Ok(Err(AnnotationRefusal::BadReason)) => Notice::BadNote,
        Ok(Err(AnnotationRefusal::BadValue)) => Notice::BadTag,
        Ok(Err(AnnotationRefusal::TooMany)) => Notice::TooManyAnnotations,
        Err(error) => store_notice(&error),
    };
    redirect_back(&page, notice, typed)
}
