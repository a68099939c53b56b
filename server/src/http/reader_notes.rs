//! Form posts that tag and note an assessment or a document.

use super::{audit, prelude::*};
use domain::{NoteId, annotation::AnnotationSubject};
use engine::annotations::{self, AnnotationRefusal, AnnotationResult};
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
    const TABS: &'static [&'static str] = &["analysis", "evidence", "work"];
}

impl SubjectId for DocumentId {
    const LIST: &'static str = "/documents";
    const TABS: &'static [&'static str] = &[];
}

#[derive(Default, Deserialize)]
#[serde(default)]
pub(super) struct TagForm {
    tag: String,
    tab: String,
}

/// The text of a new note, or the id of one.
#[derive(Default, Deserialize)]
#[serde(default)]
pub(super) struct NoteForm {
    note: String,
    tab: String,
}

#[derive(Default, Deserialize)]
#[serde(default)]
pub(super) struct PersonForm {
    person: String,
    tab: String,
}

pub(super) async fn tag<Id: SubjectId>(Path(id): Path<String>, post: FormPost<TagForm>) -> Response<Body> {
    let Ok(id) = id.parse::<Id>() else { return post.lead_to(Id::LIST, Notice::NotFound) };
    let done = annotations::tag(&post.web.engine, &post.user, id.into(), &post.form.tag).await;
    let (done, page) = (audit::done(&post, "tag", &id.to_string(), done).await, page_of(id, &post.form.tab));
    answer_typed::<_, Id>(post, &page, notice_of(done)).await
}

pub(super) async fn untag<Id: SubjectId>(Path(id): Path<String>, post: FormPost<TagForm>) -> Response<Body> {
    let Ok(id) = id.parse::<Id>() else { return post.lead_to(Id::LIST, Notice::NotFound) };
    let done = annotations::untag(&post.web.engine, &post.user, id.into(), &post.form.tag).await;
    let (done, page) = (audit::done(&post, "untag", &id.to_string(), done).await, page_of(id, &post.form.tab));
    respond::<_, Id>(post, &page, notice_of(done))
}

pub(super) async fn note<Id: SubjectId>(Path(id): Path<String>, post: FormPost<NoteForm>) -> Response<Body> {
    let Ok(id) = id.parse::<Id>() else { return post.lead_to(Id::LIST, Notice::NotFound) };
    let done = annotations::note(&post.web.engine, &post.user, id.into(), &post.form.note).await;
    let (done, page) = (audit::done(&post, "write_note", &id.to_string(), done).await, page_of(id, &post.form.tab));
    answer_typed::<_, Id>(post, &page, notice_of(done)).await
}

pub(super) async fn remove_note<Id: SubjectId>(Path(id): Path<String>, post: FormPost<NoteForm>) -> Response<Body> {
    let (Ok(id), Ok(note)) = (id.parse::<Id>(), post.form.note.parse::<NoteId>()) else {
        return post.lead_to(Id::LIST, Notice::NotFound);
    };
    let done = annotations::remove_note(&post.web.engine, &post.user, id.into(), note).await;
    let (done, page) = (audit::done(&post, "remove_note", &id.to_string(), done).await, page_of(id, &post.form.tab));
    respond::<_, Id>(post, &page, notice_of(done))
}

/// Removes everything that a person added, for administrators.
pub(super) async fn remove_all<Id: SubjectId>(Path(id): Path<String>, post: FormPost<PersonForm>) -> Response<Body> {
    let (Ok(id), Ok(person)) = (id.parse::<Id>(), post.form.person.parse::<UserId>()) else {
        return post.lead_to(Id::LIST, Notice::NotFound);
    };
    let done = annotations::remove_all_of(&post.web.engine, &post.user, id.into(), person).await;
    let done = audit::done(&post, "remove_notes", &format!("{id} of {person}"), done.map(|removed| removed.map(drop))).await;
    let page = page_of(id, &post.form.tab);
    respond::<_, Id>(post, &page, notice_of(done))
}

/// Returns the address of a tab of an object.
fn page_of<Id: SubjectId>(id: Id, tab: &str) -> String {
    match Id::TABS.iter().find(|known| **known == tab) {
        Some(tab) => format!("{}/{id}/{tab}", Id::LIST),
        None => format!("{}/{id}", Id::LIST),
    }
}

/// Returns the notice of a change that was refused.
fn notice_of(done: StoreResult<AnnotationResult>) -> Option<Notice> {
    match done {
        Ok(Ok(())) => None,
        Ok(Err(AnnotationRefusal::NotFound)) => Some(Notice::NotFound),
        Ok(Err(AnnotationRefusal::NotAllowed)) => Some(Notice::NotAllowed),
        Ok(Err(AnnotationRefusal::BadReason)) => Some(Notice::BadNote),
        Ok(Err(AnnotationRefusal::BadValue)) => Some(Notice::BadTag),
        Ok(Err(AnnotationRefusal::TooMany)) => Some(Notice::TooManyAnnotations),
        Err(error) => Some(app::store_notice(&error)),
    }
}

/// Leads back to the tags and notes of `page`, or with a notice to it; to the list where the object is missing.
fn respond<T, Id: SubjectId>(post: FormPost<T>, page: &str, notice: Option<Notice>) -> Response<Body> {
    match notice {
        None => redirect(&format!("{page}#notes")),
        Some(Notice::NotFound) => post.lead_to(Id::LIST, Notice::NotFound),
        Some(notice) => post.lead_to(page, notice),
    }
}

/// Like `respond`, with the input of a refused form.
async fn answer_typed<T, Id: SubjectId>(post: FormPost<T>, page: &str, notice: Option<Notice>) -> Response<Body> {
    match notice {
        Some(notice) if notice != Notice::NotFound => post.refuse(page, notice).await,
        notice => respond::<_, Id>(post, page, notice),
    }
}
