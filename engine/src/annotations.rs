//! Annotations on assessments: evidence excluded by the owner, and ratings contested by readers. They stand beside the assessment and
//! can be taken back. Tags and notes stand beside documents, too.

use crate::{Engine, StoreResult, assessments::StoredAssessment};
use async_trait::async_trait;
use domain::{
    AssessmentId, ContestId, NoteId, Timestamp, UserId,
    annotation::{
        AnnotationSubject, Annotations, Contest, ContestedItem, ContestedValue, Exclusion, MAX_NOTE_CHARS, MAX_REASON_CHARS,
        Note, Tag,
    },
    assessment::Marker,
    user::{Action, Role, User},
};
use serde::{Deserialize, Serialize};

/// Port of annotations.
#[async_trait]
pub trait AnnotationStore: Send + Sync {
    /// Returns the exclusions, the newest `limit` contests, tags and notes of a subject, and the indicators that `user` watches, in one
    /// statement.
    async fn annotations(&self, subject: AnnotationSubject, user: UserId, limit: u64) -> StoreResult<Annotations>;
    /// Stores an exclusion; a second one of the same citation replaces the reason.
    async fn exclude(&self, assessment: AssessmentId, exclusion: &Exclusion) -> StoreResult<()>;
    /// Withdraws an exclusion; returns whether there was one.
    async fn include(&self, assessment: AssessmentId, marker: Marker) -> StoreResult<bool>;
    /// Adds a contest; returns false when the person or the assessment has as many notes and contests as `limits` allow.
    async fn contest(&self, assessment: AssessmentId, contest: &Contest, limits: &AnnotationsConfig) -> StoreResult<bool>;
    /// Returns the tags of several subjects, in the order of the alphabet.
    async fn tags_of(&self, subjects: &[AnnotationSubject]) -> StoreResult<Vec<(AnnotationSubject, Tag)>>;
    /// Adds a tag; one that is there stays as it is. Returns false when the subject has as many other tags as `limits` allow.
    async fn tag(
        &self,
        subject: AnnotationSubject,
        tag: &Tag,
        by: UserId,
        at: Timestamp,
        limits: &AnnotationsConfig,
    ) -> StoreResult<bool>;
    /// Removes a tag that `by` added, or any person if `by` is `None`; returns whether there was one.
    async fn untag(&self, subject: AnnotationSubject, tag: &Tag, by: Option<UserId>) -> StoreResult<bool>;
    /// Removes all notes, contests and tags of a person from a subject; returns their number.
    async fn remove_all_of(&self, subject: AnnotationSubject, user: UserId) -> StoreResult<u64>;
    /// Adds a note; returns false when the person or the subject has as many notes and contests as `limits` allow.
    async fn note(&self, subject: AnnotationSubject, note: &Note, limits: &AnnotationsConfig) -> StoreResult<bool>;
    /// Removes a note of `by`, or of any person if `by` is `None`; returns whether there was one.
    async fn remove_note(&self, subject: AnnotationSubject, note: NoteId, by: Option<UserId>) -> StoreResult<bool>;
    /// Removes a contest of an assessment made by `user`; returns whether there was one.
    async fn withdraw(&self, assessment: AssessmentId, contest: ContestId, user: UserId) -> StoreResult<bool>;
}

domain::settings! {
    /// Configuration `[engine.annotations]`: what readers may add to one report or document.
    #[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
    pub struct AnnotationsConfig {
        /// Notes and contested ratings of one person.
        pub per_person: u64 = 50,
        /// Notes and contested ratings of everybody.
        pub per_subject: u64 = 200,
        pub tags: u64 = 30,
    }
}

/// Reason why an annotation was refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AnnotationRefusal {
    /// The assessment, its citation or its rating, or the document is missing or hidden.
    NotFound,
    NotAllowed,
    /// The reason is empty or too long.
    BadReason,
    /// The value is not of the kind of the rating.
    BadValue,
    /// The person or the subject has as many as it may.
    TooMany,
}

/// Whether the annotation was stored.
pub type AnnotationResult = Result<(), AnnotationRefusal>;

/// Excludes a citation from the recount, for the owner of the investigation and for administrators.
pub async fn exclude(
    engine: &Engine,
    user: &User,
    id: AssessmentId,
    marker: Marker,
    reason: &str,
) -> StoreResult<AnnotationResult> {
    let Some(stored) = visible(engine, user, id).await? else { return Ok(Err(AnnotationRefusal::NotFound)) };
    if !may_exclude(engine, user, &stored).await? {
        return Ok(Err(AnnotationRefusal::NotAllowed));
    }
    if !stored.assessment.markers().contains(&marker) {
        return Ok(Err(AnnotationRefusal::NotFound));
    }
    let Some(reason) = checked_reason(reason) else { return Ok(Err(AnnotationRefusal::BadReason)) };
    let exclusion = Exclusion { marker, reason, by: user.id, name: user.name.clone(), at: engine.clock.now() };
    engine.annotations.exclude(id, &exclusion).await.map(Ok)
}

/// Tags an assessment or a document that one may read, for everybody who may.
pub async fn tag(engine: &Engine, user: &User, subject: AnnotationSubject, text: &str) -> StoreResult<AnnotationResult> {
    let Some(tag) = Tag::parse(text) else { return Ok(Err(AnnotationRefusal::BadValue)) };
    if !is_visible(engine, user, subject).await? {
        return Ok(Err(AnnotationRefusal::NotFound));
    }
    let (now, limits) = (engine.clock.now(), &engine.config.annotations);
    engine.annotations.tag(subject, &tag, user.id, now, limits).await.map(within_limit)
}

/// Takes a tag off an assessment or a document: one's own, and as the owner or an administrator anybody's.
pub async fn untag(engine: &Engine, user: &User, subject: AnnotationSubject, text: &str) -> StoreResult<AnnotationResult> {
    let is_visible = is_visible(engine, user, subject).await?;
    let Some(tag) = Tag::parse(text).filter(|_| is_visible) else { return Ok(Err(AnnotationRefusal::NotFound)) };
    let by = (!may_tidy(engine, user, subject).await?).then_some(user.id);
    let was_there = engine.annotations.untag(subject, &tag, by).await?;
    Ok(if was_there { Ok(()) } else { Err(AnnotationRefusal::NotFound) })
}

/// Writes a note beside an assessment or a document that one may read.
pub async fn note(engine: &Engine, user: &User, subject: AnnotationSubject, text: &str) -> StoreResult<AnnotationResult> {
    let text = text.trim();
    if text.is_empty() || text.chars().count() > MAX_NOTE_CHARS {
        return Ok(Err(AnnotationRefusal::BadReason));
    }
    if !is_visible(engine, user, subject).await? {
        return Ok(Err(AnnotationRefusal::NotFound));
    }
    let (by, name, at) = (user.id, user.name.clone(), engine.clock.now());
    let note = Note { id: NoteId(engine.ids.next()), text: text.to_owned(), by, name, at };
    engine.annotations.note(subject, &note, &engine.config.annotations).await.map(within_limit)
}

/// Removes a note: one's own, and as an administrator anybody's.
pub async fn remove_note(
    engine: &Engine,
    user: &User,
    subject: AnnotationSubject,
    note: NoteId,
) -> StoreResult<AnnotationResult> {
    if !is_visible(engine, user, subject).await? {
        return Ok(Err(AnnotationRefusal::NotFound));
    }
    let by = (user.role != Role::Admin).then_some(user.id);
    let was_there = engine.annotations.remove_note(subject, note, by).await?;
    Ok(if was_there { Ok(()) } else { Err(AnnotationRefusal::NotFound) })
}

/// Removes everything that a person added to a subject, for administrators; returns the number of notes, contests and tags.
pub async fn remove_all_of(
    engine: &Engine,
    user: &User,
    subject: AnnotationSubject,
    person: UserId,
) -> StoreResult<Result<u64, AnnotationRefusal>> {
    if !is_visible(engine, user, subject).await? {
        return Ok(Err(AnnotationRefusal::NotFound));
    }
    if user.role != Role::Admin {
        return Ok(Err(AnnotationRefusal::NotAllowed));
    }
    engine.annotations.remove_all_of(subject, person).await.map(Ok)
}

/// Withdraws an exclusion.
pub async fn include(engine: &Engine, user: &User, id: AssessmentId, marker: Marker) -> StoreResult<AnnotationResult> {
    let Some(stored) = visible(engine, user, id).await? else { return Ok(Err(AnnotationRefusal::NotFound)) };
    if !may_exclude(engine, user, &stored).await? {
        return Ok(Err(AnnotationRefusal::NotAllowed));
    }
    let was_excluded = engine.annotations.include(id, marker).await?;
    Ok(if was_excluded { Ok(()) } else { Err(AnnotationRefusal::NotFound) })
}

/// Contests a rating with an own value, for everybody who may read the assessment.
pub async fn contest(
    engine: &Engine,
    user: &User,
    id: AssessmentId,
    (item, value, reason): (&str, &str, &str),
) -> StoreResult<AnnotationResult> {
    let Some(stored) = visible(engine, user, id).await? else { return Ok(Err(AnnotationRefusal::NotFound)) };
    let item = ContestedItem::parse(item);
    let original = item.as_ref().and_then(|item| item.original(&stored.assessment));
    let (Some(item), Some(original)) = (item, original) else { return Ok(Err(AnnotationRefusal::NotFound)) };
    let Some(value) = ContestedValue::parse(value, original) else { return Ok(Err(AnnotationRefusal::BadValue)) };
    let Some(reason) = checked_reason(reason) else { return Ok(Err(AnnotationRefusal::BadReason)) };
    let (by, name, at) = (user.id, user.name.clone(), engine.clock.now());
    let contest = Contest { id: ContestId(engine.ids.next()), item, value, reason, by, name, at };
    engine.annotations.contest(id, &contest, &engine.config.annotations).await.map(within_limit)
}

/// Withdraws one's own contest.
pub async fn withdraw(engine: &Engine, user: &User, id: AssessmentId, contest: ContestId) -> StoreResult<AnnotationResult> {
    if visible(engine, user, id).await?.is_none() {
        return Ok(Err(AnnotationRefusal::NotFound));
    }
    let was_there = engine.annotations.withdraw(id, contest, user.id).await?;
    Ok(if was_there { Ok(()) } else { Err(AnnotationRefusal::NotFound) })
}

pub(crate) async fn visible(engine: &Engine, user: &User, id: AssessmentId) -> StoreResult<Option<StoredAssessment>> {
    engine.assessments.assessment(&engine.read_scope(user).await?, id).await
}

/// Returns whether `user` may read a subject.
async fn is_visible(engine: &Engine, user: &User, subject: AnnotationSubject) -> StoreResult<bool> {
    Ok(match subject {
        AnnotationSubject::Assessment(id) => visible(engine, user, id).await?.is_some(),
        AnnotationSubject::Document(id) => {
            let scope = engine.accounts.scope_of(user.id).await?;
            engine.documents.document(&scope, id).await?.is_some()
        }
    })
}

/// Result of adding to a subject, which the store refuses beyond the limits alone.
const fn within_limit(is_added: bool) -> AnnotationResult {
    if is_added { Ok(()) } else { Err(AnnotationRefusal::TooMany) }
}

/// Returns whether `user` may remove the tags of others: the owner of a subject, or an administrator.
async fn may_tidy(engine: &Engine, user: &User, subject: AnnotationSubject) -> StoreResult<bool> {
    if user.role == Role::Admin {
        return Ok(true);
    }
    Ok(match subject {
        AnnotationSubject::Assessment(id) => match visible(engine, user, id).await? {
            Some(stored) => may_exclude(engine, user, &stored).await?,
            None => false,
        },
        AnnotationSubject::Document(id) => engine.may_edit_document(user, id).await?,
    })
}

async fn may_exclude(engine: &Engine, user: &User, stored: &StoredAssessment) -> StoreResult<bool> {
    let owner = engine.investigations.investigation(stored.assessment.investigation_id).await?.map(|found| found.owner);
    Ok(user.role.may(Action::Investigate) && (user.role == Role::Admin || owner == Some(user.id)))
}

/// The reason without blanks at its ends; none when it is empty or too long.
fn checked_reason(reason: &str) -> Option<String> {
    let reason = reason.trim();
    let is_good = !reason.is_empty() && reason.chars().count() <= MAX_REASON_CHARS;
    is_good.then(|| reason.to_owned())
}
