//! One claim: its quote, its document, and the entities that it is about.

use super::{Visit, entity::Mentions, id_in_path, render_page};
use crate::prelude::*;
use views::graph::{ClaimView, OriginCount, RestingRelationship, RestingValue};

/// Characters of the claim in the title of the page.
const TITLE_CHARS: usize = 80;

async fn load_claim(id: String) -> Result<Visit<ClaimView>, AppError> {
    let (engine, viewer) = crate::session::viewer().await?;
    let Ok(id) = id.parse::<domain::ClaimId>() else { return Err(AppError::not_found("claim")) };
    let page = engine.claim_view(&viewer, id).await?.ok_or_else(|| AppError::not_found("claim"))?;
    Ok(Visit { viewer, page })
}

#[component]
pub fn ClaimPage() -> impl IntoView {
    render_page(load_claim(id_in_path()), |Visit { viewer, page }| view! { <PageBody viewer page /> }.into_any())
}

#[component]
fn PageBody(viewer: User, page: ClaimView) -> impl IntoView {
    let ClaimView { claim, document_id, title, outlet, published, entities, origins, cited_in, relationships, values } = page;
    let document = format!("/documents/{document_id}?quote={}-{}#quote", claim.span.start, claim.span.end);
    let entities = entities
        .into_iter()
        .map(|node| view! { <li><a href=format!("/entities/{}", node.id)>{node.name}</a> " " <span class="muted">{node.kind}</span></li> })
        .collect_view();
    let short = format::abridged(&claim.content, TITLE_CHARS);
    let place = Slot::Claim { viewer: viewer.clone(), claim: claim.id };
    view! {
        <Title text=format!("Claim · {short}") />
        <Frame viewer nav=NavItem::Entities>
            <Breadcrumbs above=[("Entities", "/entities".to_owned())] here=short />
            <p class="overline">"Claim"</p>
            <h1 class="claim-title">{claim.content}</h1>
            <div class="with-margin">
                <section aria-labelledby="quote-title">
                    <h2 id="quote-title">"Quote"</h2>
                    <blockquote>{claim.quote}</blockquote>
                    <p><a class="button" href=document>"Show in the document"</a></p>
                    <Origins origins />
                    <Resting relationships values />
                </section>
                <div class="margin">
                    <section aria-labelledby="facts-title">
                        <h2 id="facts-title">"Details"</h2>
                        <dl class="facts">
                            <dt>"Document"</dt>
                            <dd><a href=format!("/documents/{document_id}")>{title}</a></dd>
                            {outlet.map(|outlet| view! { <dt>"Outlet"</dt><dd>{outlet}</dd> })}
                            <dt>"Published"</dt>
                            <dd><Day published /></dd>
                            {claim.speaker.map(|speaker| view! { <dt>"Speaker"</dt><dd>{speaker}</dd> })}
                            <dt>"Put as"</dt>
                            <dd>{claim.mode.as_str()} ", " {format::attribution(claim.attribution)}</dd>
                        </dl>
                    </section>
                    <Pieces at=place />
                    <section aria-labelledby="about-title">
                        <h2 id="about-title">"About"</h2>
                        <ul class="copies">{entities}</ul>
                    </section>
                    <Mentions assessments=cited_in title="Cited in" />
                </div>
            </div>
        </Frame>
    }
    .into_any()
}

/// Number of independent origins that state the same.
#[component]
pub(super) fn Origins(origins: OriginCount) -> impl IntoView {
    let OriginCount { documents, origins, same_origin } = origins;
    let documents = format::count(documents as u64, "document", "documents");
    let origins = format::count(origins as u64, "independent origin", "independent origins");
    let same = match same_origin {
        0 => String::new(),
        1 => " One other document repeats the text of this one.".to_owned(),
        many => format!(" {many} other documents repeat the text of this one."),
    };
    view! { <p class="muted">{format!("Stated in {documents} of {origins}.{same}")}</p> }
}

/// Relationships and values that rest on the claim.
#[component]
fn Resting(relationships: Vec<RestingRelationship>, values: Vec<RestingValue>) -> impl IntoView {
    (!relationships.is_empty() || !values.is_empty()).then(|| {
        let relationships = relationships
            .into_iter()
            .map(|RestingRelationship { id, description, source, target }| {
                view! { <li>{source} " – " <a href=format!("/relationships/{id}")>{description}</a> " – " {target}</li> }
            })
            .collect_view();
        let values = values
            .into_iter()
            .map(|RestingValue { name, entity }| {
                let name = format::sentence_case(&name);
                view! { <li>{name} " of " <a href=format!("/entities/{}", entity.id)>{entity.name}</a></li> }
            })
            .collect_view();
        view! {
            <h2>"What rests on it"</h2>
            <ul class="copies">{relationships} {values}</ul>
        }
        .into_any()
    })
}
