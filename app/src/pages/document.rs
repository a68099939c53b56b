//! One document, open at a quote.

use super::{Visit, id_in_path, query, render_page};
use crate::{
    AppError,
    atoms::{Day, PageFindingMark, SampleBadge},
    format,
    parts::{Frame, NavItem, QuotedText, sessions::InjectionFindings},
};
use domain::{
    claim::{Claim, Span},
    document::Document,
    pages::DocumentView,
    user::User,
};
use leptos::prelude::*;
use leptos_meta::Title;

#[server]
async fn load_document(id: String) -> Result<Visit<DocumentView>, AppError> {
    let (engine, viewer) = crate::session::viewer().await?;
    let Ok(id) = id.parse() else { return Err(AppError::not_found("document")) };
    let page = engine.document_view(&viewer, id).await?.ok_or_else(|| AppError::not_found("document"))?;
    Ok(Visit { viewer, page })
}

#[component]
pub fn DocumentPage() -> impl IntoView {
    let quote = query("quote").and_then(|text| span(&text));
    render_page(load_document(id_in_path()), move |Visit { viewer, page }| view! { <PageBody viewer page quote /> }.into_any())
}

/// Reads `START-END`, in bytes.
fn span(text: &str) -> Option<Span> {
    let (start, end) = text.split_once('-')?;
    Some(Span { start: start.parse().ok()?, end: end.parse().ok()? })
}

#[component]
pub(super) fn PageBody(viewer: User, page: DocumentView, quote: Option<Span>) -> impl IntoView {
    let DocumentView { document, finding, injections, text, copies, claims, is_sample } = page;
    let id = document.id.to_string();
    view! {
        <Title text=document.title.clone() />
        <Frame viewer nav=NavItem::Documents>
            <p class="overline">"Document " <SampleBadge is_shown=is_sample /></p>
            <h1>{document.title.clone()}</h1>
            <PageFindingMark finding />
            <div class="with-margin">
                <article class="sheet" lang=document.language.clone()>
                    {quote.map(|_| view! { <p class="to-quote"><a href="#quote">"Jump to quote"</a></p> })}
                    <QuotedText text quote />
                </article>
                <div class="margin">
                    <Facts document />
                    <InjectionFindings findings=injections />
                    <Copies copies />
                    <Claims id claims quote />
                </div>
            </div>
        </Frame>
    }
    .into_any()
}

#[component]
fn Facts(document: Document) -> impl IntoView {
    view! {
        <section aria-labelledby="facts-title">
            <h2 id="facts-title">"Details"</h2>
            <dl class="facts">
                <dt>"Outlet"</dt>
                <dd>{document.outlet.unwrap_or_else(|| "unknown".to_owned())}</dd>
                <dt>"Published"</dt>
                <dd><Day published=document.published /></dd>
                <dt>"Captured"</dt>
                <dd><time datetime=document.captured_at.to_string()>{format::minute(document.captured_at)}</time></dd>
                <dt>"File"</dt>
                <dd><code>{document.path}</code></dd>
                <dt>"Type"</dt>
                <dd>{format::media_type(&document.media_type).to_owned()} ", " {format::bytes(document.size_bytes)}</dd>
                {document.language.map(|language| view! { <dt>"Language"</dt><dd>{language}</dd> })}
                <dt>"SHA-256"</dt>
                <dd><code class="hash">{document.sha256}</code></dd>
            </dl>
        </section>
    }
    .into_any()
}

/// Where else the same text was published.
#[component]
fn Copies(copies: Vec<Document>) -> impl IntoView {
    (!copies.is_empty()).then(|| {
        let items = copies
            .into_iter()
            .map(|copy| {
                view! {
                    <li>
                        <a href=format!("/documents/{}", copy.id)>{copy.outlet.unwrap_or(copy.title)}</a>
                        " "
                        <Day published=copy.published />
                    </li>
                }
            })
            .collect_view();
        view! {
            <section aria-labelledby="copies-title">
                <h2 id="copies-title">"Same text elsewhere"</h2>
                <p class="hint">"Copies of one text count as one origin."</p>
                <ul class="copies">{items}</ul>
            </section>
        }
    })
}

/// The claims drawn from the document; each marks its quote in the text.
#[component]
fn Claims(id: String, claims: Vec<Claim>, quote: Option<Span>) -> impl IntoView {
    let count = claims.len();
    let items = claims
        .into_iter()
        .map(|claim| {
            let span = claim.span;
            let href = format!("/documents/{id}?quote={}-{}#quote", span.start, span.end);
            view! {
                <li>
                    <a href=href aria-current=(quote == Some(span)).then_some("true")>{claim.content}</a>
                    <span class="muted">
                        {format::attribution(claim.attribution)} " · " {format::mode(claim.mode)}
                        {claim.speaker.map(|speaker| format!(" · {speaker}"))}
                    </span>
                </li>
            }
        })
        .collect_view();
    view! {
        <section aria-labelledby="claims-title">
            <h2 id="claims-title">{format::count(count as u64, "claim", "claims")}</h2>
            <ol class="claims">{items}</ol>
        </section>
    }
    .into_any()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_quote_is_two_numbers() {
        assert_eq!(span("12-40"), Some(Span { start: 12, end: 40 }));
        assert_eq!([span("12"), span("a-b"), span("-1-3")], [None; 3]);
    }
}
