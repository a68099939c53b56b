//! Download of a document: its text as it was read, and the bytes as they came. Both as attachments, so that nothing of them runs.

use super::prelude::*;

/// Most characters of the name of a file.
const NAME_CHARS: usize = 80;

pub(super) async fn text(caller: Caller, Path(id): Path<String>) -> Response<Body> {
    let Ok(id) = id.parse::<DocumentId>() else { return refuse(StatusCode::NOT_FOUND, Notice::NotFound) };
    let engine = &caller.web.program.engine;
    let found = match engine.accounts.scope_of(caller.user.id).await {
        Ok(scope) => engine.documents.texts(&scope, &[id]).await,
        Err(error) => Err(error),
    };
    let found = match found.map(|mut found| found.pop()) {
        Ok(Some(found)) => caller.audit("export_document_text", &id.to_string()).await.map(|()| Some(found)),
        other => other,
    };
    match found {
        Ok(Some(found)) => attachment("text/plain; charset=utf-8", &format!("{}.txt", found.document.title), found.text),
        Ok(None) => refuse(StatusCode::NOT_FOUND, Notice::NotFound),
        Err(error) => ApiError::from(error).into_response(),
    }
}

pub(super) async fn original(caller: Caller, Path(id): Path<String>) -> Response<Body> {
    let Ok(id) = id.parse::<DocumentId>() else { return refuse(StatusCode::NOT_FOUND, Notice::NotFound) };
    let engine = &caller.web.program.engine;
    let read = async {
        let scope = engine.accounts.scope_of(caller.user.id).await?;
        let Some(document) = engine.documents.document(&scope, id).await? else { return Ok::<_, StoreError>(None) };
        let Some(bytes) = engine.documents.bytes(&scope, id).await? else { return Ok(None) };
        caller.audit("export_document_original", &id.to_string()).await?;
        Ok(Some((document, bytes)))
    };
    match read.await {
        Ok(Some((document, bytes))) => {
            let name = document.path.rsplit('/').find(|part| !part.is_empty()).unwrap_or("document").to_owned();
            // Never the type that it claims: a browser that opens it must not run it as a page of ours.
            attachment("application/octet-stream", &name, bytes)
        }
        Ok(None) => refuse(StatusCode::NOT_FOUND, Notice::NotFound),
        Err(error) => ApiError::from(error).into_response(),
    }
}

fn attachment(media_type: &'static str, name: &str, content: impl Into<Body>) -> Response<Body> {
    let name: String = name
        .chars()
        .map(|c| if c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '_' | ' ') { c } else { '_' })
        .take(NAME_CHARS)
        .collect();
    let disposition = format!("attachment; filename=\"{}\"", name.trim());
    let headers = [
        (header::CONTENT_TYPE, media_type.to_owned()),
        (header::CONTENT_DISPOSITION, disposition),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff".to_owned()),
    ];
    (headers, content.into()).into_response()
}
