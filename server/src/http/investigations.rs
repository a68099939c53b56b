//! Form posts that start, resume and stop investigations.

use super::{
    answer::{self, redirect_with},
    auth::SessionUser,
    prelude::*,
    upload::{ScopeFields, Upload, is_multipart},
    visibility,
};
use crate::intake;
use app::session::{DRAFT_KEY, KEPT, QuestionDraft};
use domain::{
    fetch::{address_problems, split_addresses},
    investigation::{FollowKind, Investigation, Terms, WebAccess},
    visibility::Visibility,
};
use engine::{
    accounts,
    investigations::{self, InvestigationRequest, Reach, ReachRequest, StartError, clarify},
    pages::may_stop,
    teams,
};
use fetch::Input;
use futures::StreamExt;
use std::{net::IpAddr, path::PathBuf};

const FORM: &str = "/investigations/new";
const CLARIFY: &str = "/investigations/clarify";

/// Redirects to the dashboard, which lists the investigations.
pub(super) async fn list() -> Response<Body> {
    redirect("/")
}

pub(super) async fn start(
    State(web): State<WebState>,
    SessionUser(user): SessionUser,
    ClientAddress(address): ClientAddress,
    session: Session,
    request: Request,
) -> Response<Body> {
    if !user.role.may(Action::Investigate) {
        return redirect_back("/", Notice::NotAllowed, &[]);
    }
    if !is_multipart(request.headers()) {
        tracing::debug!("question refused: its form is not multipart/form-data");
        return answer::refuse(StatusCode::UNSUPPORTED_MEDIA_TYPE, Notice::BadForm);
    }
    let mut upload = match Upload::read(&web, &user, request).await {
        Ok(upload) => upload,
        Err((notice, upload)) => return refuse(&web, &session, notice, &upload, "").await,
    };
    if !address_problems(&upload.addresses).is_empty() {
        return refuse(&web, &session, Notice::BadAddress, &upload, "").await;
    }
    let Some(terms) = upload.scope.terms() else { return refuse(&web, &session, Notice::BadPeriod, &upload, "").await };
    if is_to_clarify(&web, &upload, terms) {
        let mut fields = form_fields(&upload, "");
        fields.push(("quotes", if upload.agrees_to_quotes { "agreed".to_owned() } else { String::new() }));
        return match keep_draft(&web, &session, &upload).await {
            Ok(()) => redirect_with(CLARIFY, &fields),
            Err(notice) => redirect_back(FORM, notice, &[]),
        };
    }
    upload.question = clarify::with_subject(&upload.question, upload.scope.subject());
    if !upload.scope.model.is_empty() {
        match web.program.settings.offers(&upload.scope.model).await {
            Ok(true) => {}
            Ok(false) => return refuse(&web, &session, Notice::NotFound, &upload, "").await,
            Err(error) => return refuse(&web, &session, store_notice(&error), &upload, "").await,
        }
    }
    let folder = match find_folder(&web, &upload.folder) {
        Ok(folder) => folder,
        Err(notice) => return refuse(&web, &session, notice, &upload, "").await,
    };
    match start_investigation(&web, &user, address, (&upload, terms), folder).await {
        Ok(id) => {
            // The draft of a refused form is done with.
            if let Err(error) = session.remove::<QuestionDraft>(DRAFT_KEY).await {
                tracing::warn!(%error, "draft not removed from the session");
            }
            show(&web, &user, address, id, &upload).await
        }
        Err(error) => {
            let unreadable_files = unreadable_files(&error).map(|id| id.to_string()).unwrap_or_default();
            refuse(&web, &session, notice_of(&error), &upload, &unreadable_files).await
        }
    }
}

/// Redirects to a new investigation, made visible to others as its form says. Without the agreement it stays private, with a notice.
async fn show(web: &WebState, user: &User, address: IpAddr, id: InvestigationId, upload: &Upload) -> Response<Body> {
    let page = format!("/investigations/{id}");
    let wanted = upload.visibility.filter(|visibility| *visibility != Visibility::Private);
    let Some(wanted) = wanted else { return redirect(&page) };
    let by = Actor { user: Some(user.id), address: Some(address) };
    match teams::set_visibility(&web.program.engine, user, by, id, wanted, upload.agrees_to_quotes).await {
        Ok(()) => redirect(&page),
        Err(error) => redirect_back(&page, visibility::notice_of(&error), &[("visibility", &wanted.to_string())]),
    }
}

/// Returns whether the person is asked what a vague question is about. Sources given with it say that already.
fn is_to_clarify(web: &WebState, upload: &Upload, terms: Terms) -> bool {
    let has_sources = upload.files.is_some() || !upload.addresses.trim().is_empty() || !upload.folder.is_empty();
    web.program.config.engine.clarify
        && !upload.scope.is_clear
        && !has_sources
        && upload.follows.is_none()
        && upload.question.chars().any(char::is_alphanumeric)
        && clarify::unclear(&upload.question, !terms.period.is_open()).is_some()
}

/// Shows the form again with everything that was typed. `unread`: where the unreadable files are listed.
async fn refuse(web: &WebState, session: &Session, notice: Notice, upload: &Upload, unread: &str) -> Response<Body> {
    let notice = keep_draft(web, session, upload).await.err().unwrap_or(notice);
    let fields = form_fields(upload, unread);
    let fields: Vec<(&str, &str)> = fields.iter().map(|(name, value)| (*name, value.as_str())).collect();
    redirect_back(FORM, notice, &fields)
}

/// Question that a page puts into the question form, and the investigation that it continues.
#[derive(Debug, Deserialize)]
pub(super) struct DraftForm {
    draft: String,
    #[serde(default)]
    follows: String,
    #[serde(default)]
    kind: String,
}

/// Shows the question form with a draft, which may be too long for an address.
pub(super) async fn draft(State(web): State<WebState>, session: Session, post: FormPost<DraftForm>) -> Response<Body> {
    let DraftForm { draft, follows, kind } = post.form;
    let fields = [("follows", follows), ("kind", kind), (KEPT, "1".to_owned())];
    let question = QuestionDraft { question: draft, ..QuestionDraft::default() };
    match store_draft(&web, &session, question).await {
        Ok(()) => redirect_with(FORM, &fields),
        Err(notice) => redirect_back(FORM, notice, &[]),
    }
}

/// Question that continues another.
#[derive(Debug, Deserialize)]
pub(super) struct FollowUpForm {
    question: String,
    follows: String,
}

/// Starts a question that continues another, with its choices where the person may see them. A refused one comes into the question form.
pub(super) async fn follow_up(
    State(web): State<WebState>,
    ClientAddress(address): ClientAddress,
    session: Session,
    post: FormPost<FollowUpForm>,
) -> Response<Body> {
    let FormPost { user, form: FollowUpForm { question, follows }, .. } = post;
    if !user.role.may(Action::Investigate) {
        return redirect_back("/", Notice::NotAllowed, &[]);
    }
    let mut upload = Upload::default();
    upload.question = question;
    upload.follows = follows.parse().ok();
    upload.follow_kind = Some(FollowKind::FollowUp);
    match earlier_question(&web, &user, upload.follows).await {
        Ok(Some(earlier)) => {
            upload.web = Some(earlier.web);
            upload.scope = ScopeFields::as_before(&earlier);
        }
        Ok(None) => {}
        Err(error) => return refuse(&web, &session, store_notice(&error), &upload, "").await,
    }
    let Some(terms) = upload.scope.terms() else { return refuse(&web, &session, Notice::BadPeriod, &upload, "").await };
    match start_investigation(&web, &user, address, (&upload, terms), None).await {
        Ok(id) => redirect(&format!("/investigations/{id}")),
        Err(error) => refuse(&web, &session, notice_of(&error), &upload, "").await,
    }
}

/// Returns the question that another continues; none where the person may not see its choices. A model that this installation does not
/// offer is left out: one that replays a recording would answer the new question with the old one.
async fn earlier_question(
    web: &WebState,
    user: &User,
    follows: Option<InvestigationId>,
) -> Result<Option<Investigation>, StoreError> {
    let engine = &web.program.engine;
    let found = match follows {
        Some(id) if engine.may_watch(user, id).await? => engine.investigations.investigation(id).await?,
        _ => None,
    };
    let Some(mut earlier) = found else { return Ok(None) };
    if let Some(model) = &earlier.model
        && !web.program.settings.offers(model).await?
    {
        earlier.model = None;
    }
    Ok(Some(earlier))
}

async fn keep_draft(web: &WebState, session: &Session, upload: &Upload) -> Result<(), Notice> {
    let draft = QuestionDraft {
        question: upload.question.clone(),
        addresses: upload.addresses.clone(),
        collections: upload.scope.collections().iter().map(ToString::to_string).collect::<Vec<_>>().join(","),
    };
    store_draft(web, session, draft).await
}

/// Keeps the long values of a question form in the session, up to `server.uploads.text_bytes` each.
async fn store_draft(web: &WebState, session: &Session, mut draft: QuestionDraft) -> Result<(), Notice> {
    let max = web.program.config.server.uploads.text_bytes;
    for text in [&mut draft.question, &mut draft.addresses] {
        text.truncate(text.floor_char_boundary(max));
    }
    session.insert(DRAFT_KEY, draft).await.map_err(|error| {
        tracing::error!(%error, "draft not kept in the session");
        Notice::Unavailable
    })
}

/// Returns the fields of the form for its address. The long ones are in the session.
fn form_fields(upload: &Upload, unread: &str) -> Vec<(&'static str, String)> {
    let mut fields = vec![
        ("follows", upload.follows.map(|id| id.to_string()).unwrap_or_default()),
        ("kind", upload.follow_kind.map_or("", FollowKind::as_str).to_owned()),
        (KEPT, "1".to_owned()),
        ("web", upload.web.map_or("", WebAccess::as_str).to_owned()),
        ("visibility", upload.visibility.map(|visibility| visibility.to_string()).unwrap_or_default()),
        ("unread", unread.to_owned()),
    ];
    fields.extend(upload.scope.typed(upload.follows.is_some()));
    fields
}

/// Returns the path of a folder by its name in `documents.roots`: a request never contains a path.
fn find_folder(web: &WebState, name: &str) -> Result<Option<PathBuf>, Notice> {
    if name.is_empty() {
        return Ok(None);
    }
    web.program.config.documents.roots.get(name).cloned().map(Some).ok_or(Notice::NotFound)
}

async fn start_investigation(
    web: &WebState,
    user: &User,
    address: IpAddr,
    (upload, terms): (&Upload, Terms),
    folder: Option<PathBuf>,
) -> Result<InvestigationId, StartError> {
    let engine = &web.program.engine;
    // Checked before anything is looked up for it.
    investigations::check_question(engine, &upload.question)?;
    let id = InvestigationId(engine.ids.next());
    let wanted = ReachRequest {
        id,
        owner: user,
        question: &upload.question,
        reading: terms.reading,
        chosen: upload.scope.collections(),
        follows: upload.follows,
        shared_name: None,
    };
    let Reach { collection, scope, new } = investigations::reach(engine, wanted).await?;
    let uploads = upload.files.clone().map(Input::Uploaded);
    let has_folder = folder.is_some();
    let inputs: Vec<Input> = uploads.into_iter().chain(folder.map(|folder| Input::Paths(vec![folder]))).collect();
    let files =
        inputs.into_iter().map(|input| intake::read_files(&web.program, input)).reduce(|all, more| all.chain(more).boxed());
    let request = InvestigationRequest {
        id: Some(id),
        new_collection: new,
        scope,
        files,
        addresses: split_addresses(&upload.addresses),
        model: Some(upload.scope.model.clone()).filter(|model| !model.is_empty()),
        web: upload.web,
        terms,
        follows: upload.follows.zip(upload.follow_kind),
        client: Some(address),
        ..InvestigationRequest::new(user, &upload.question, collection)
    };
    let (investigation, _) = investigations::start(engine, request, |_| {}).await?;
    if has_folder {
        accounts::audit(engine, Actor { user: Some(user.id), address: Some(address) }, "read_folder", &upload.folder).await?;
    }
    Ok(investigation.id)
}

/// Stops an investigation; it still writes an assessment.
pub(super) async fn stop(Path(id): Path<String>, post: FormPost<AnyFields>) -> Response<Body> {
    let done = ask_to_stop(&post, &id).await;
    answer_steering(post, &id, done)
}

/// Model to go on with; empty: those of the roles, at once.
#[derive(Deserialize)]
pub(super) struct ResumeForm {
    #[serde(default)]
    model: String,
}

/// Ends the wait of a suspended investigation.
pub(super) async fn resume(State(web): State<WebState>, Path(id): Path<String>, post: FormPost<ResumeForm>) -> Response<Body> {
    let done = ask_to_resume(&web, &post, &id).await;
    answer_steering(post, &id, done)
}

/// Reason for which a run goes on as it was.
enum SteeringError {
    Refused(Notice),
    Store(StoreError),
}

impl From<StoreError> for SteeringError {
    fn from(error: StoreError) -> Self {
        Self::Store(error)
    }
}

async fn ask_to_resume(web: &WebState, post: &FormPost<ResumeForm>, id: &str) -> Result<(), SteeringError> {
    let investigation = find_steered(post, id).await?;
    let model = Some(post.form.model.as_str()).filter(|model| !model.is_empty());
    if let Some(model) = model
        && !web.program.settings.offers(model).await?
    {
        return Err(SteeringError::Refused(Notice::BadModel));
    }
    let engine = &post.web.engine;
    if investigations::resume(engine, &investigation, model).await? {
        let object = format!("{}: {}", investigation.id, model.unwrap_or("as chosen"));
        accounts::audit(engine, post.by, "resume_investigation", &object).await?;
    }
    Ok(())
}

async fn ask_to_stop(post: &FormPost<AnyFields>, id: &str) -> Result<(), SteeringError> {
    let investigation = find_steered(post, id).await?;
    investigations::stop(&post.web.engine, &investigation).await?;
    accounts::audit(&post.web.engine, post.by, "stop_investigation", &investigation.id.to_string()).await?;
    Ok(())
}

/// Returns the investigation if the person may end or change its run.
async fn find_steered<T>(post: &FormPost<T>, id: &str) -> Result<Investigation, SteeringError> {
    let engine = &post.web.engine;
    let missing = || SteeringError::Refused(Notice::NotFound);
    let id = id.parse::<InvestigationId>().map_err(|_| missing())?;
    if !engine.may_read(&post.user, id).await? {
        return Err(missing());
    }
    let found = engine.investigations.investigation(id).await?.ok_or_else(missing)?;
    if may_stop(&post.user, &found) { Ok(found) } else { Err(SteeringError::Refused(Notice::NotAllowed)) }
}

/// Leads to the page of the investigation; to the home page where it is missing.
fn answer_steering<T>(post: FormPost<T>, id: &str, done: Result<(), SteeringError>) -> Response<Body> {
    let page = format!("/investigations/{id}");
    match done {
        Ok(()) => redirect(&page),
        Err(SteeringError::Refused(Notice::NotFound)) => post.lead_to("/", Notice::NotFound),
        Err(SteeringError::Refused(notice)) => post.lead_to(&page, notice),
        Err(SteeringError::Store(error)) => post.lead_to(&page, store_notice(&error)),
    }
}

pub(super) fn notice_of(error: &StartError) -> Notice {
    match error {
        StartError::NothingToRead(_, files) if files.is_empty() => Notice::NoDocuments,
        StartError::NothingToRead(..) => Notice::NothingReadable,
        StartError::NoQuestion => Notice::QuestionEmpty,
        StartError::NoWords => Notice::QuestionNoWords,
        StartError::TooLong { .. } => Notice::QuestionLong,
        StartError::OverBudget(_) => Notice::OverBudget,
        StartError::TooManyOpen { .. } => Notice::TooManyOpen,
        StartError::TooManyCollections { .. } => Notice::TooManyCollections,
        StartError::NothingInScope => Notice::NothingInScope,
        StartError::Store(error) => store_notice(error),
    }
}

/// Returns the id under which the unreadable files are stored.
fn unreadable_files(error: &StartError) -> Option<InvestigationId> {
    match error {
        StartError::NothingToRead(id, files) if !files.is_empty() => Some(*id),
        _ => None,
    }
}
