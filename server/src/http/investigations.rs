//! Form posts that start and stop investigations.

use super::{
    WebState,
    answer::{redirect, redirect_back, store_notice},
    auth::SessionUser,
    upload::Upload,
};
use crate::intake::{self, IntakeError, InvestigationRequest};
use app::Notice;
use axum::{
    body::Body,
    extract::{Multipart, Path, State, multipart::MultipartRejection},
    http::Response,
};
use domain::{
    InvestigationId,
    user::{Action, User},
};
use engine::{StoreError, launch::LaunchError, pages::may_stop};
use fetch::Input;

const FORM: &str = "/investigations/new";
/// Maximum characters of a field that is sent back in an address.
const MAX_DRAFT_CHARS: usize = 1_500;

/// Redirects to the dashboard, which lists the investigations.
pub(super) async fn list() -> Response<Body> {
    redirect("/")
}

pub(super) async fn start(
    State(web): State<WebState>,
    SessionUser(user): SessionUser,
    form: Result<Multipart, MultipartRejection>,
) -> Response<Body> {
    if !user.role.may(Action::Investigate) {
        return redirect_back("/", Notice::NotAllowed, &[]);
    }
    let upload = match Upload::read(form).await {
        Ok(upload) => upload,
        Err((notice, question)) => return redirect_back(FORM, notice, &[("draft", &draft(&question))]),
    };
    match launch(&web, &user, &upload).await {
        Ok(id) => redirect(&format!("/investigations/{id}")),
        Err(error) => {
            let unreadable_files = unreadable_files(&error).map(|id| id.to_string()).unwrap_or_default();
            let fields =
                [("draft", &draft(&upload.question)), ("addresses", &draft(&upload.addresses)), ("unread", &unreadable_files)];
            redirect_back(FORM, notice_of(&error), &fields.map(|(name, value)| (name, value.as_str())))
        }
    }
}

async fn launch(web: &WebState, user: &User, upload: &Upload) -> Result<InvestigationId, IntakeError> {
    let program = &web.program;
    let collection = intake::upload_collection(program, user).await?;
    let question = InvestigationRequest {
        owner: user,
        text: &upload.question,
        collection: &collection,
        scope: intake::scope_without_sample(program, user).await?,
        files: (!upload.files.is_empty()).then(|| Input::Uploads(upload.files.clone())),
        addresses: intake::parse_addresses(&upload.addresses),
        model: None,
    };
    let (investigation, _) = intake::start_investigation(program, question, |_| {}).await?;
    Ok(investigation.id)
}

/// Stops an investigation; it still writes an assessment.
pub(super) async fn stop(
    State(web): State<WebState>,
    SessionUser(user): SessionUser,
    Path(id): Path<String>,
) -> Response<Body> {
    let Ok(id) = id.parse::<InvestigationId>() else { return redirect_back("/", Notice::NotFound, &[]) };
    let page = format!("/investigations/{id}");
    match ask_to_stop(&web, &user, id).await {
        Ok(None) => redirect(&page),
        Ok(Some(Notice::NotFound)) => redirect_back("/", Notice::NotFound, &[]),
        Ok(Some(notice)) => redirect_back(&page, notice, &[]),
        Err(error) => redirect_back(&page, store_notice(&error), &[]),
    }
}

async fn ask_to_stop(web: &WebState, user: &User, id: InvestigationId) -> Result<Option<Notice>, StoreError> {
    let engine = &web.program.engine;
    if !engine.may_watch(user, id).await? {
        return Ok(Some(Notice::NotFound));
    }
    let Some(investigation) = engine.investigations.investigation(id).await? else { return Ok(Some(Notice::NotFound)) };
    if !may_stop(user, &investigation) {
        return Ok(Some(Notice::NotAllowed));
    }
    engine::launch::stop(engine, &investigation).await?;
    intake::audit(&web.program, user, "stop_investigation", &id.to_string()).await?;
    Ok(None)
}

pub(super) fn notice_of(error: &IntakeError) -> Notice {
    match error {
        IntakeError::NothingToRead(_, files) if files.is_empty() => Notice::NoDocuments,
        IntakeError::NothingToRead(..) => Notice::NothingReadable,
        IntakeError::Launch(LaunchError::NoQuestion) => Notice::QuestionEmpty,
        IntakeError::Launch(LaunchError::NoWords) => Notice::QuestionNoWords,
        IntakeError::Launch(LaunchError::TooLong { .. }) => Notice::QuestionLong,
        IntakeError::Launch(LaunchError::OverBudget(_)) => Notice::OverBudget,
        IntakeError::Launch(LaunchError::Store(error)) => store_notice(error),
    }
}

/// Returns the id under which the unreadable files are stored.
fn unreadable_files(error: &IntakeError) -> Option<InvestigationId> {
    match error {
        IntakeError::NothingToRead(id, files) if !files.is_empty() => Some(*id),
        _ => None,
    }
}

fn draft(text: &str) -> String {
    text.chars().take(MAX_DRAFT_CHARS).collect()
}
