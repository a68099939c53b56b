//! One document, open at a quote.

use super::{Visit, id_in_path, number, query, render_page, typed_remark};
use crate::{
    atoms::PageFindingMark,
    live::sessions::InjectionFindings,
    parts::{Manage, QuotedText, ReaderNotes, TypedRemark},
    prelude::*,
};
use domain::{
    PublicationDate,
    claim::{Claim, Span},
    document::{Document, DocumentDetails, outlet_name},
    fetch::{RetrievalMethod, Table, WebCapture},
};
use views::{DocumentView, TextWindow};

async fn load_document(
    id: String,
    quote: Option<String>,
    from: Option<u64>,
    until: Option<u64>,
) -> Result<Visit<(DocumentView, TypedRemark)>, AppError> {
    use views::TextPlace;

    let (engine, viewer) = crate::session::viewer().await?;
    let Ok(id) = id.parse() else { return Err(AppError::not_found("document")) };
    let place = match (quote.and_then(|text| span(&text)), until) {
        (Some(quote), _) => TextPlace::Around(quote),
        (None, Some(until)) => TextPlace::Until(until),
        (None, None) => TextPlace::From(from.unwrap_or(0)),
    };
    let page = engine.document_view(&viewer, id, place).await?.ok_or_else(|| AppError::not_found("document"))?;
    let typed = typed_remark(viewer.id).await;
    Ok(Visit { viewer, page: (page, typed) })
}

#[component]
pub fn DocumentPage() -> impl IntoView {
    let quoted = query("quote");
    let quote = quoted.as_deref().and_then(span);
    let offset = |key: &str| query(key).and_then(|text| text.parse::<u64>().ok());
    let load = load_document(id_in_path(), quoted, offset("from"), offset("until"));
    let (error, notes_page) = (query("error"), number("notes") as usize);
    render_page(load, move |Visit { viewer, page: (page, typed) }| {
        view! { <PageBody viewer page quote error notes_page typed /> }.into_any()
    })
}

/// Reads `START-END`, in bytes.
fn span(text: &str) -> Option<Span> {
    let (start, end) = text.split_once('-')?;
    Some(Span { start: start.parse().ok()?, end: end.parse().ok()? })
}

#[component]
pub(super) fn PageBody(
    viewer: User,
    page: DocumentView,
    quote: Option<Span>,
    #[prop(optional_no_strip)] error: Option<String>,
    /// Page of the notes, from 1.
    #[prop(default = 1)]
    notes_page: usize,
    #[prop(optional)] typed: TypedRemark,
) -> impl IntoView {
    let DocumentView { document, details, more_tables, capture, finding, injections, text, .. } = page;
    let DocumentView {
        copies, captures, cited_in, claims, tags, own_tags, notes, is_sample, is_archived, is_in_view_only, ..
    } = page;
    let DocumentView { may_edit, .. } = page;
    let (subject, reader, is_admin) = (document.id, viewer.id, viewer.role == Role::Admin);
    let place = Slot::Document { viewer: viewer.clone(), document: subject };
    let claimed = claims.iter().map(|claim| (claim.span, claim.id)).collect();
    let DocumentDetails { byline, updated, tables } = details;
    let id = document.id.to_string();
    view! {
        <Title text=format!("Document · {}", document.title) />
        <Frame viewer nav=NavItem::Documents>
            <Breadcrumbs above=[("Documents", "/documents".to_owned())] here=document.title.clone() />
            <p class="overline">"Document " <SampleBadge is_shown=is_sample /></p>
            <h1>{document.title.clone()}</h1>
            <NoticeBanner code=error />
            {is_archived.then(|| view! {
                <p class="notice" role="note">"Archived: this document is not listed, not found by search and not read for new questions."</p>
            })}
            {is_in_view_only.then(|| view! {
                <p class="notice" role="note">
                    "Read in view of a question only: what does not concern it is recorded when a later question needs this document."
                </p>
            })}
            <PageFindingMark finding />
            <div class="with-margin">
                <article class="sheet" lang=document.language.clone()>
                    {quote.map(|_| view! { <p class="to-quote"><a href="#quote">"Jump to quote"</a></p> })}
                    <EarlierPart id=id.clone() start=text.start />
                    <QuotedText text=text.clone() quote claims=claimed />
                    <LaterPart id=id.clone() text />
                    <Tables tables more=more_tables />
                </article>
                <div class="margin">
                    <Facts document byline updated />
                    <p class="exports">
                        <a href=format!("/documents/{id}/text") download>"Text"</a> " "
                        <a href=format!("/documents/{id}/original") download>"Original file"</a>
                    </p>
                    <Manage kind=TidyKind::Documents id=id.clone() may_manage=may_edit is_archived />
                    <CitedIn cited_in />
                    <Pieces at=place />
                    {capture.map(|capture| view! { <Capture capture /> })}
                    <InjectionFindings findings=injections />
                    <Copies copies />
                    <OtherCaptures captures />
                    <ReaderNotes subject viewer=reader is_admin may_tidy=may_edit tags own_tags notes notes_page typed />
                    <Claims id claims quote />
                </div>
            </div>
        </Frame>
    }
    .into_any()
}

/// Link to the part of the text before this one.
#[component]
fn EarlierPart(id: String, start: u64) -> impl IntoView {
    (start > 0).then(|| {
        view! {
            <nav class="text-parts" aria-label="Text before">
                <a href=format!("/documents/{id}?until={start}")>"Earlier part"</a>
            </nav>
        }
    })
}

/// Size of the part that is shown of a long text, and a link to the part after it.
#[component]
fn LaterPart(id: String, text: TextWindow) -> impl IntoView {
    let (end, shown) = (text.end(), text.text.len() as u64);
    (shown < text.total).then(|| {
        view! {
            <nav class="text-parts" aria-label="Text after">
                <span class="muted">{format!("A long text: {} of {} are shown. ", format::bytes(shown), format::bytes(text.total))}</span>
                {(end < text.total).then(|| view! { <a href=format!("/documents/{id}?from={end}")>"Later part"</a> })}
            </nav>
        }
    })
}

#[component]
fn Facts(document: Document, byline: Option<String>, updated: Option<PublicationDate>) -> impl IntoView {
    let byline = byline.or(document.credits.byline);
    let outlet = outlet_name(document.outlet.as_deref(), None).unwrap_or("unknown").to_owned();
    view! {
        <section aria-labelledby="facts-title">
            <h2 id="facts-title">"Details"</h2>
            <dl class="facts">
                <dt>"Outlet"</dt>
                <dd>{outlet}</dd>
                {byline.map(|byline| view! { <dt>"By"</dt><dd>{byline}</dd> })}
                <dt>"Published"</dt>
                <dd><Day published=document.published /></dd>
                {updated.map(|updated| view! { <dt>"Changed"</dt><dd><Day published=Some(updated) /></dd> })}
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
}

/// Capture of the page: addresses, redirects and status. Addresses are text, because following them tells the site.
#[component]
fn Capture(capture: WebCapture) -> impl IntoView {
    let WebCapture { url, final_url, canonical_url, status, hops, reached, fetched_at, .. } = capture;
    let method = match reached {
        RetrievalMethod::Fetched => "fetched",
        RetrievalMethod::Rendered => "rendered in the browser",
        RetrievalMethod::Walked => "reached by clicks in the browser",
    };
    let hops =
        hops.into_iter().map(|hop| view! { <li><code>{hop.url}</code> {format!(" ({})", hop.status)}</li> }).collect_view();
    let canonical = canonical_url.filter(|canonical| *canonical != final_url);
    view! {
        <section aria-labelledby="captures-title">
            <h2 id="captures-title">"Captures"</h2>
            <dl class="facts">
                <dt>"Fetched"</dt>
                <dd><time datetime=fetched_at.to_string()>{format::minute(fetched_at)}</time> ", " {method}</dd>
                <dt>"Address"</dt>
                <dd><code>{url.clone()}</code></dd>
                {(url != final_url).then(|| view! {
                    <dt>"Redirects"</dt>
                    <dd><ol>{hops}</ol></dd>
                    <dt>"Final address"</dt>
                    <dd><code>{final_url}</code></dd>
                })}
                {canonical.map(|canonical| view! { <dt>"Calls itself"</dt><dd><code>{canonical}</code></dd> })}
                <dt>"Status"</dt>
                <dd>{status}</dd>
            </dl>
        </section>
    }
}

/// The tables of the document as tables; in the text their cells stand one after the other.
#[component]
fn Tables(tables: Vec<Table>, more: u64) -> impl IntoView {
    (!tables.is_empty() || more > 0).then(|| {
        let tables = tables
            .into_iter()
            .enumerate()
            .map(|(n, Table { caption, rows })| {
                let cells = |row: Vec<String>| row.into_iter().map(|cell| view! { <td>{cell}</td> }).collect_view();
                let rows = rows.into_iter().map(|row| view! { <tr>{cells(row)}</tr> }).collect_view();
                let caption = caption.unwrap_or_else(|| format!("Table {}", n + 1));
                let label = format!("{caption}, scrolls sideways");
                view! {
                    <div class="scroll" role="region" aria-label=label tabindex="0">
                        <table><caption>{caption}</caption><tbody>{rows}</tbody></table>
                    </div>
                }
            })
            .collect_view();
        let more = (more > 0).then(|| format!("{} in the text only.", format::count(more, "more table is", "more tables are")));
        view! {
            <details class="tables">
                <summary>"Tables"</summary>
                {tables}
                {more.map(|more| view! { <p class="hint">{more}</p> })}
            </details>
        }
    })
}

/// Assessments that cite the document.
#[component]
fn CitedIn(cited_in: Vec<(AssessmentId, String)>) -> impl IntoView {
    (!cited_in.is_empty()).then(|| {
        let items = cited_in
            .into_iter()
            .map(|(id, question)| view! { <li><a href=format!("/assessments/{id}/evidence?view=list#citations")>{question}</a></li> })
            .collect_view();
        view! {
            <section aria-labelledby="cited-title">
                <h2 id="cited-title">"Cited in"</h2>
                <ul class="copies">{items}</ul>
            </section>
        }
    })
}

/// Captures of the same path or address whose text differs.
#[component]
fn OtherCaptures(captures: Vec<Document>) -> impl IntoView {
    (!captures.is_empty()).then(|| {
        let items = captures
            .into_iter()
            .map(|capture| {
                let at = capture.captured_at;
                view! {
                    <li>
                        <a href=format!("/documents/{}", capture.id)>
                            <time datetime=at.to_string()>{format::minute(at)}</time>
                        </a>
                        " " {capture.title}
                    </li>
                }
            })
            .collect_view();
        view! {
            <section aria-labelledby="other-captures-title">
                <h2 id="other-captures-title">"Captured at other times"</h2>
                <p class="hint">"The same path or address with another text."</p>
                <ul class="copies">{items}</ul>
            </section>
        }
    })
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
                        <a href=format!("/documents/{}", copy.id)>{copy.source_name()}</a>
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
/// Claims of the document, folded. While they are unfolded, the style sheet underlines their quotes in the text.
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
                        {format::attribution(claim.attribution)} " · " {claim.mode.as_str()}
                        {claim.speaker.map(|speaker| format!(" · {speaker}"))}
                    </span>
                </li>
            }
        })
        .collect_view();
    view! {
        <details class="claims-fold">
            <summary>{format::count(count as u64, "claim", "claims")}</summary>
            <ol class="claims">{items}</ol>
        </details>
    }
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
