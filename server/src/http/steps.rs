//! Full text of a long step of a session, as plain text so that nothing in it can run.

use super::prelude::*;
use domain::SessionId;
use views::StepPart;

pub(super) async fn part(caller: Caller, Path(address): Path<(String, String, String)>) -> Response<Body> {
    match find(&caller, &address).await {
        Ok(text) => ([(header::CONTENT_TYPE, "text/plain; charset=utf-8")], text).into_response(),
        Err(ApiError::NotFound) => refuse(StatusCode::NOT_FOUND, Notice::NotFound),
        Err(error) => error.into_response(),
    }
}

async fn find(caller: &Caller, (session, step, part): &(String, String, String)) -> Result<String, ApiError> {
    let session: SessionId = session.parse().map_err(|_| ApiError::NotFound)?;
    let step: u32 = step.parse().map_err(|_| ApiError::NotFound)?;
    let part: StepPart = part.parse().map_err(|_| ApiError::NotFound)?;
    caller.web.program.engine.session_part(&caller.user, session, step, part).await?.ok_or(ApiError::NotFound)
}
