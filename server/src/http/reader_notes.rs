//! Form posts that tag and note an assessment or a document.

use super::{
    WebState,
    answer::{redirect, redirect_back, store_notice},
    auth::SessionUser,
};
use app::Notice;
use axum::{
    Form,
    body::Body,
    extract::{Path, State},
    http::Response,
};
use domain::{AssessmentId, DocumentId, NoteId, annotation::AnnotationSubject};
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
}

impl SubjectId for AssessmentId {
    const LIST: &'static str = "/assessments";
}

impl SubjectId for DocumentId {
    const LIST: &'static str = "/documents";
}

#[derive(Deserialize)]
pub(super) struct TagForm {
    #[serde(default)]
    tag: String,
}

/// The text of a new note, or the id of one.
#[derive(Deserialize)]
pub(super) struct NoteForm {
    #[serde(default)]
    note: String,
}

pub(super) async fn tag<Id: SubjectId>(
    State(web): State<WebState>,
    SessionUser(user): SessionUser,
    Path(id): Path<String>,
    Form(form): Form<TagForm>,
) -> Response<Body> {
    let Ok(id) = id.parse::<Id>() else { return redirect_back(Id::LIST, Notice::NotFound, &[]) };
    answer(annotations::tag(&web.program.engine, &user, id.into(), &form.tag).await, id)
}

pub(super) async fn untag<Id: SubjectId>(
    State(web): State<WebState>,
    SessionUser(user): SessionUser,
    Path(id): Path<String>,
    Form(form): Form<TagForm>,
) -> Response<Body> {
    let Ok(id) = id.parse::<Id>() else { return redirect_back(Id::LIST, Notice::NotFound, &[]) };
    answer(annotations::untag(&web.program.engine, &user, id.into(), &form.tag).await, id)
}

pub(super) async fn note<Id: SubjectId>(
    State(web): State<WebState>,
    SessionUser(user): SessionUser,
    Path(id): Path<String>,
    Form(form): Form<NoteForm>,
) -> Response<Body> {
    let Ok(id) = id.parse::<Id>() else { return redirect_back(Id::LIST, Notice::NotFound, &[]) };
    answer(annotations::note(&web.program.engine, &user, id.into(), &form.note).await, id)
}

pub(super) async fn remove_note<Id: SubjectId>(
    State(web): State<WebState>,
    SessionUser(user): SessionUser,
    Path(id): Path<String>,
    Form(form): Form<NoteForm>,
) -> Response<Body> {
    let (Ok(id), Ok(note)) = (id.parse::<Id>(), form.note.parse::<NoteId>()) else {
        return redirect_back(Id::LIST, Notice::NotFound, &[]);
    };
    answer(annotations::remove_note(&web.program.engine, &user, id.into(), note).await, id)
}

/// Leads back to the tags and notes of the page.
fn answer<Id: SubjectId>(done: StoreResult<AnnotationResult>, id: Id) -> Response<Body> {
    let page = format!("{}/{id}", Id::LIST);
    let notice = match done {
        Ok(Ok(())) => return redirect(&format!("{page}#notes")),
        Ok(Err(AnnotationRefusal::NotFound)) => return redirect_back(Id::LIST, Notice::NotFound, &[]),
        Ok(Err(AnnotationRefusal::NotAllowed)) => Notice::NotAllowed,
        Ok(Err(AnnotationRefusal::BadReason)) => Notice::BadNote,
        Ok(Err(AnnotationRefusal::BadValue)) => Notice::BadTag,
        Err(error) => store_notice(&error),
    };
    redirect_back(&page, notice, &[])
}
