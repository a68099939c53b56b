//! Download of an assessment as PDF, printed by the browser of the server.

use super::prelude::*;
use app::{PrintForm, printed_body};
use base64::{Engine as _, prelude::BASE64_STANDARD};
use domain::Timestamp;
use fetch::PrintRequest;
use std::{io, path::Path as FilePath};

/// Rules for paper beside those of the site: the edges of a page are printed by the browser itself.
const PAPER_STYLE: &str = "@page { margin: 19mm 17mm 18mm; @bottom-right { content: none } }";

pub(super) async fn brief(caller: Caller, Path(id): Path<String>) -> Response<Body> {
    print(&caller, &id, PrintForm::Brief).await
}

pub(super) async fn full(caller: Caller, Path(id): Path<String>) -> Response<Body> {
    print(&caller, &id, PrintForm::Full).await
}

async fn print(caller: &Caller, id: &str, form: PrintForm) -> Response<Body> {
    let Caller { web, user, .. } = caller;
    let engine = &web.program.engine;
    let found = match id.parse::<AssessmentId>() {
        Ok(id) => engine.assessment_view(user, id).await,
        Err(_) => Ok(None),
    };
    let view = match found {
        Ok(Some(view)) => view,
        Ok(None) => return refuse(StatusCode::NOT_FOUND, Notice::NotFound),
        Err(error) => return ApiError::from(error).into_response(),
    };
    let with_records = match form {
        PrintForm::Full => engine.with_outlet_records(user, view).await,
        PrintForm::Brief => Ok(view),
    };
    let view = match with_records {
        Ok(view) => view,
        Err(error) => return ApiError::from(error).into_response(),
    };
    let id = view.assessment.id;
    let report = format!("/assessments/{id}");
    let Some(printer) = web.program.available_printer() else { return redirect_back(&report, Notice::NoPrinter, &[]) };
    // Each takes a place of the browser from the agents.
    let Some(_slot) = web.prints_of_person.take(user.id, web.program.config.server.requests.wait()).await else {
        return refuse(StatusCode::TOO_MANY_REQUESTS, Notice::TooManyRequests);
    };
    let request = PrintRequest {
        title: view.assessment.body.title.clone(),
        date: written(view.created_at),
        footer: format!("AutOSINT · assessment {id} · printed {}", written(engine.clock.now())),
        style: style(&web.leptos.site_root).await,
        body: printed_body(view, form),
    };
    let pdf = match printer.print(&request).await {
        Ok(pdf) => pdf,
        Err(error) => {
            tracing::warn!(%error, "report not printed");
            return redirect_back(&report, Notice::NoPrinter, &[]);
        }
    };
    let object = format!("{id}.{}.pdf", form.as_str());
    if let Err(error) = caller.audit("export_assessment", &object).await {
        return ApiError::from(error).into_response();
    }
    let disposition = format!("inline; filename=\"assessment-{id}-{}.pdf\"", form.as_str());
    ([(header::CONTENT_TYPE, "application/pdf".to_owned()), (header::CONTENT_DISPOSITION, disposition)], pdf).into_response()
}

fn written(at: Timestamp) -> String {
    at.to_datetime().format("%-d %b %Y").to_string()
}

/// Style sheet of the site with its fonts inside it: a printed page loads nothing. Without a built site, pages are plain.
async fn style(site_root: &str) -> String {
    let root = FilePath::new(site_root).to_owned();
    let style = tokio::task::spawn_blocking(move || with_fonts(&root)).await;
    let style = style.ok().and_then(Result::ok).unwrap_or_else(|| {
        tracing::warn!("style sheet of the site missing, printing without it");
        String::new()
    });
    style + PAPER_STYLE
}

fn with_fonts(root: &FilePath) -> io::Result<String> {
    // A byte order mark within a page would be read as part of its first rule.
    let mut style = std::fs::read_to_string(root.join("pkg/autosint.css"))?.trim_start_matches('\u{feff}').to_owned();
    let Ok(fonts) = std::fs::read_dir(root.join("fonts")) else { return Ok(style) };
    for font in fonts.flatten() {
        let name = font.file_name().to_string_lossy().into_owned();
        let address = format!("/fonts/{name}");
        if name.ends_with(".woff2") && style.contains(&address) {
            let data = BASE64_STANDARD.encode(std::fs::read(font.path())?);
            style = style.replace(&address, &format!("data:font/woff2;base64,{data}"));
        }
    }
    Ok(style)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fonts_are_embedded_in_the_style_sheet() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir_all(folder.path().join("pkg")).unwrap();
        std::fs::create_dir_all(folder.path().join("fonts")).unwrap();
        std::fs::write(
            folder.path().join("pkg/autosint.css"),
            "\u{feff}a{src:url(\"/fonts/x.woff2\")}b{src:url(/fonts/y.woff2)}",
        )
        .unwrap();
        std::fs::write(folder.path().join("fonts/x.woff2"), "xx").unwrap();
        let style = with_fonts(folder.path()).unwrap();
        assert!(
            style.starts_with("a{src")
                && style.contains("url(\"data:font/woff2;base64,eHg=\")")
                && style.contains("/fonts/y.woff2"),
            "{style}"
        );
    }
}
