//! Starting and stopping investigations from the browser.

use super::{
    Web,
    answer::{back, see_other, store_notice},
    upload::Upload,
    visitor::Visitor,
};
use crate::intake::{self, IntakeError, Question};
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
/// Most of a field that is sent back to be mended, in characters: addresses are short.
const MAX_DRAFT_CHARS: usize = 1_500;

/// The dashboard is where investigations are listed.
pub(super) async fn list() -> Response<Body> {
    see_other("/")
}

pub(super) async fn start(
    State(web): State<Web>,
    Visitor(user): Visitor,
    form: Result<Multipart, MultipartRejection>,
) -> Response<Body> {
    if !user.role.may(Action::Investigate) {
        return back("/", Notice::NotAllowed, &[]);
    }
    let upload = match Upload::read(form).await {
        Ok(upload) => upload,
        Err((notice, question)) => return back(FORM, notice, &[("draft", &draft(&question))]),
    };
    match launch(&web, &user, &upload).await {
        Ok(id) => see_other(&format!("/investigations/{id}")),
        Err(error) => {
            let unread = unread(&error).map(|id| id.to_string()).unwrap_or_default();
            let sent = [("draft", &draft(&upload.question)), ("addresses", &draft(&upload.addresses)), ("unread", &unread)];
            back(FORM, notice_of(&error), &sent.map(|(name, value)| (name, value.as_str())))
        }
    }
}

async fn launch(web: &Web, user: &User, upload: &Upload) -> Result<InvestigationId, IntakeError> {
    let program = &web.program;
    let collection = intake::uploads_of(program, user).await?;
    let question = Question {
        owner: user,
        text: &upload.question,
        collection: &collection,
        scope: intake::scope_without_sample(program, user).await?,
        files: (!upload.files.is_empty()).then(|| Input::Uploads(upload.files.clone())),
        addresses: intake::addresses_in(&upload.addresses),
        model: None,
    };
    let (investigation, _) = intake::investigate(program, question, |_| {}).await?;
    Ok(investigation.id)
}

/// Ends an investigation with what there is.
pub(super) async fn stop(State(web): State<Web>, Visitor(user): Visitor, Path(id): Path<String>) -> Response<Body> {
    let Ok(id) = id.parse::<InvestigationId>() else { return back("/", Notice::NotFound, &[]) };
    let page = format!("/investigations/{id}");
    match ask_to_stop(&web, &user, id).await {
        Ok(None) => see_other(&page),
        Ok(Some(Notice::NotFound)) => back("/", Notice::NotFound, &[]),
        Ok(Some(notice)) => back(&page, notice, &[]),
        Err(error) => back(&page, store_notice(&error), &[]),
    }
}

async fn ask_to_stop(web: &Web, user: &User, id: InvestigationId) -> Result<Option<Notice>, StoreError> {
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

/// Where the page for asking again finds the files that could not be read.
fn unread(error: &IntakeError) -> Option<InvestigationId> {
    match error {
        IntakeError::NothingToRead(id, files) if !files.is_empty() => Some(*id),
        _ => None,
    }
}

fn draft(text: &str) -> String {
    text.chars().take(MAX_DRAFT_CHARS).collect()
}
