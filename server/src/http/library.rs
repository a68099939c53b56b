//! Form posts that add files to the library without a question, and dismiss those that could not be read. The next question that reads
//! added files draws their claims.

use super::{
    answer,
    auth::SessionUser,
    prelude::*,
    upload::{Upload, is_multipart},
};
use crate::intake;
use engine::{
    accounts,
    library::{self, IngestReport},
};
use feature::{AnyFields, FormPost};
use fetch::Input;

const PAGE: &str = "/documents";

/// Stores the files of a form among the uploads of the person.
pub(super) async fn add(State(web): State<WebState>, SessionUser(user): SessionUser, request: Request) -> Response<Body> {
    if !user.role.may(Action::Investigate) {
        return redirect_back(PAGE, Notice::NotAllowed, &[]);
    }
    if !is_multipart(request.headers()) {
        return answer::refuse(StatusCode::UNSUPPORTED_MEDIA_TYPE, Notice::BadForm);
    }
    let upload = match Upload::read(&web, &user, request).await {
        Ok(upload) => upload,
        Err((notice, _)) => return redirect_back(PAGE, notice, &[]),
    };
    match store(&web, &user, &upload).await {
        Ok(None) => redirect_back(PAGE, Notice::NoDocuments, &[]),
        Ok(Some(report)) if report.is_empty() => redirect_back(PAGE, Notice::NothingReadable, &[("tab", "rejected")]),
        Ok(Some(report)) => redirect(&format!("{PAGE}?added={}", report.stored)),
        Err(error) => redirect_back(PAGE, store_notice(&error), &[]),
    }
}

/// Dismisses the unreadable files of the collections that the person may edit.
pub(super) async fn dismiss_rejected(post: FormPost<AnyFields>) -> Response<Body> {
    if !post.user.role.may(Action::Investigate) {
        return post.lead_to(PAGE, Notice::NotAllowed);
    }
    match library::dismiss_rejected(&post.web.engine, &post.user, post.by).await {
        Ok(_) => redirect(&format!("{PAGE}?tab=rejected")),
        Err(error) => post.fail(PAGE, &error).await,
    }
}

/// Returns what became of the files; none where the form has none.
async fn store(web: &WebState, user: &User, upload: &Upload) -> Result<Option<IngestReport>, StoreError> {
    let Some(files) = upload.files.clone() else { return Ok(None) };
    let engine = &web.program.engine;
    let collection = accounts::upload_collection(engine, user).await?.id;
    let reader = accounts::scope_without_sample(engine, user).await?;
    let files = intake::read_files(&web.program, Input::Uploaded(files));
    library::ingest(engine, collection, &reader, None, files, |_| {}).await.map(Some)
}
