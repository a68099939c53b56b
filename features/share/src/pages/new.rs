//! The form of a new link, with a preview of the page that strangers see; and the link on the pages of objects that leads to it.

use super::{list, public::answer};
use crate::{
    document::{PREVIEW_POLICY, PageFrame, page_of_link, refused_page},
    link::{LinkId, MAX_NOTE, MAX_OBJECT_BYTES, ShareLink, ShownSources, new_token},
    pages_cache::{bundle_port, kind_of, load_object},
    settings::ShareSettings,
    store::ShareStore,
};
use app::{
    AppError, Notice, NoticeAction, format,
    parts::{Breadcrumbs, Frame, NavItem, NoticeBanner},
};
use axum::{
    body::Body,
    http::{Response, StatusCode},
};
use domain::{Timestamp, user::User};
use engine::accounts;
use feature::{FormPost, NoticeText, PageVisit, SharedObject, Slot, Web, redirect};
use leptos::prelude::*;
use leptos_meta::Title;
use serde::Deserialize;

pub const PAGE: &str = "/shares/new";
pub const PREVIEW: &str = "/shares/preview";
const DAY_MS: i64 = 86_400_000;

/// Refusal of a link with a wrong life or a long note.
pub const BAD_LINK: NoticeText = NoticeText {
    code: "bad_share_link",
    message: "A link needs a life in whole days within the limit, and a note of at most 280 characters.",
    action: NoticeAction { text: "Change the link", href: "#share-form" },
};

/// Refusal of one link more than the limit.
pub const TOO_MANY: NoticeText = NoticeText {
    code: "too_many_share_links",
    message: "You have as many links as this server allows. Revoke one, then share again.",
    action: NoticeAction { text: "See your links", href: list::PAGE },
};

#[derive(Default, Deserialize)]
#[serde(default)]
pub struct LinkForm {
    kind: String,
    object: String,
    /// Set where quotations are shown.
    quotes: String,
    /// Set where a link with quotations offers the evidence bundle.
    bundle: String,
    days: String,
    note: String,
}

/// Handler of `GET /shares/new`.
pub async fn page(visit: PageVisit) -> Response<Body> {
    let field = |name| visit.query(name).unwrap_or_default();
    let (kind, object, error) = (field("kind"), field("object"), visit.query("error"));
    let settings = visit.web.settings.get::<ShareSettings>();
    let loaded = load_page(&visit.web, &visit.viewer, kind, object).await;
    visit
        .show(loaded, move |viewer, page| {
            view! { <PageBody viewer page days=settings.days max_days=settings.max_days error /> }.into_any()
        })
        .await
}

/// Object of the form.
struct NewLink {
    kind: String,
    kind_name: &'static str,
    object: String,
    shared: SharedObject,
    /// Whether a link with quotations can offer the evidence bundle.
    has_bundle: bool,
}

async fn load_page(web: &Web, viewer: &User, kind: String, object: String) -> Result<NewLink, AppError> {
    if !web.settings.get::<ShareSettings>().may_share(viewer.role) {
        return Err(AppError::not_allowed("You may not share by link. Ask your administrator."));
    }
    let found = load_object(web, viewer, &kind, &object).await?;
    let named = kind_of(web, &kind).zip(found);
    let (named, shared) = named.ok_or_else(|| AppError::not_found("object, or one of its documents,"))?;
    let has_bundle = bundle_port(web, &kind).is_some();
    Ok(NewLink { kind, kind_name: named.name, object, shared, has_bundle })
}

/// Handler of `GET /shares/preview`: the page as strangers will see it.
pub async fn preview(visit: PageVisit) -> Response<Body> {
    let field = |name| visit.query(name).unwrap_or_default();
    let (web, viewer) = (&visit.web, &visit.viewer);
    let (html, policy) = ("text/html; charset=utf-8", PREVIEW_POLICY.as_str());
    match load_object(web, viewer, &field("kind"), &field("object")).await {
        Ok(Some(object)) => {
            let now = web.engine.clock.now();
            let sources = ShownSources::from_choices(!field("quotes").is_empty(), !field("bundle").is_empty());
            let frame = PageFrame {
                sharer: viewer.name.clone(),
                note: String::new(),
                shows_quotes: sources.have_quotes(),
                created_at: now,
                expires_at: days_after(now, web.settings.get::<ShareSettings>().days),
                address: None,
                // A preview has no bundle: its link leads to itself.
                bundle: bundle_port(web, &field("kind")).filter(|_| sources.have_bundle()).map(|_| "#bundle".to_owned()),
            };
            answer(StatusCode::OK, html, policy, page_of_link(object, &frame).into())
        }
        Ok(None) => answer(StatusCode::NOT_FOUND, html, policy, refused_page().into()),
        Err(error) => {
            tracing::error!(%error, "preview of a share link not loaded");
            answer(StatusCode::SERVICE_UNAVAILABLE, html, policy, refused_page().into())
        }
    }
}

fn days_after(moment: Timestamp, days: u32) -> Timestamp {
    moment.plus_ms(i64::from(days) * DAY_MS)
}

/// Returns the address of the form for an object.
fn form_address(kind: &str, object: &str) -> String {
    format!("{PAGE}?{}", format::query_string([("kind", kind), ("object", object)]))
}

/// Handler of `POST /shares`. The answer leads to the list with the token, which is not shown again.
pub async fn create(post: FormPost<LinkForm>) -> Response<Body> {
    let (form, web, user) = (&post.form, &post.web, &post.user);
    let settings = web.settings.get::<ShareSettings>();
    if !settings.may_share(user.role) {
        return post.lead_to(list::PAGE, Notice::NotAllowed.code());
    }
    let address = form_address(&form.kind, &form.object);
    let (days, note) = (form.days.trim().parse().unwrap_or(0), form.note.trim());
    let is_valid = (1..=settings.max_days).contains(&days) && note.chars().count() <= MAX_NOTE;
    match load_object(web, user, &form.kind, &form.object).await {
        Ok(Some(_)) if form.object.len() <= MAX_OBJECT_BYTES => {}
        Ok(_) => return post.lead_to(list::PAGE, Notice::NotFound.code()),
        Err(error) => return post.fail(list::PAGE, &error).await,
    }
    if !is_valid {
        return post.lead_to(&address, BAD_LINK.code);
    }
    let (token, token_hash) = new_token();
    let now = web.engine.clock.now();
    let with_bundle = !form.bundle.is_empty() && bundle_port(web, &form.kind).is_some();
    let link = ShareLink {
        id: LinkId(web.engine.ids.next()),
        user: user.id,
        token_hash,
        kind: form.kind.clone(),
        object: form.object.clone(),
        sources: ShownSources::from_choices(!form.quotes.is_empty(), with_bundle),
        note: note.to_owned(),
        created_at: now,
        expires_at: days_after(now, days),
        views: 0,
    };
    // No link exists without its entry; an entry without a link does no harm.
    let entry = format!("{} {} {}, {days} days", link.kind, link.object, link.id);
    let added = match accounts::audit(&web.engine, post.by, "share_link", &entry).await {
        Ok(()) => ShareStore::new(web).add(&link, settings.per_person).await,
        Err(error) => Err(error),
    };
    match added {
        Ok(true) => redirect(&format!("{}?link={token}", list::PAGE)),
        Ok(false) => post.lead_to(&address, TOO_MANY.code),
        Err(error) => post.fail(list::PAGE, &error).await,
    }
}

/// Piece of the feature: the link to the form on the page of an object that can be shared.
pub fn piece(place: &Slot) -> Option<AnyView> {
    let Slot::Share { viewer, kind, object } = place else { return None };
    let web = Web::of_page()?;
    web.settings.get::<ShareSettings>().may_share(viewer.role).then(|| {
        view! { <p class="share-button"><a class="button quiet" href=form_address(kind, object)>"Share a link"</a></p> }
            .into_any()
    })
}

#[component]
fn PageBody(viewer: User, page: NewLink, days: u32, max_days: u32, error: Option<String>) -> impl IntoView {
    let NewLink { kind, kind_name, object, shared, has_bundle } = page;
    let preview = |quotes: &'static str, bundle: &'static str| {
        let fields = [("kind", kind.as_str()), ("object", object.as_str()), ("quotes", quotes), ("bundle", bundle)];
        format!("{PREVIEW}?{}", format::query_string(fields))
    };
    let (with_quotes, without) = (preview("1", ""), preview("", ""));
    let with_bundle = has_bundle.then(|| preview("1", "1"));
    let heading = format!("Share this {kind_name}");
    view! {
        <Title text="Share a link" />
        <Frame viewer nav=NavItem::Page(list::PAGE)>
            <Breadcrumbs above=[("Shared links", list::PAGE.to_owned())] here="New link" />
            <h1>{heading}</h1>
            <NoticeBanner code=error />
            <p class="lead"><a href=shared.href>{shared.title}</a></p>
            <p>"Whoever has the link reads the page below without an account, until the link expires or you revoke it. They see nothing else of this server: no files, no names of private files, no other reports. The link also stops when you may no longer read a document that it rests on."</p>
            <div class="share-new">
                <form method="post" action=list::PAGE class="form" id="share-form">
                    <input type="hidden" name="kind" value=kind />
                    <input type="hidden" name="object" value=object />
                    <fieldset>
                        <legend>"Sources"</legend>
                        <label class="choice"><input type="radio" name="quotes" value="" checked /> <span>"References only: outlet, title of public pages, date"</span></label>
                        <label class="choice"><input type="radio" name="quotes" value="1" /> <span>"References with the quoted sentences"</span></label>
                        {has_bundle.then(|| view! {
                            <label class="choice"><input type="checkbox" name="bundle" value="1" checked /> <span>"With quotations, offer the evidence bundle, too: the whole report as a signed file, with the text around each quote"</span></label>
                        })}
                    </fieldset>
                    <div class="field">
                        <label for="share-days">"Days until it expires"</label>
                        <input id="share-days" name="days" type="number" min="1" max=max_days.to_string() value=days.to_string() required />
                    </div>
                    <div class="field">
                        <label for="share-note">"Note to the readers (optional)"</label>
                        <textarea id="share-note" name="note" rows="3" maxlength=MAX_NOTE.to_string()></textarea>
                    </div>
                    <button type="submit">"Create link"</button>
                </form>
                <section aria-labelledby="share-preview">
                    <h2 id="share-preview">"Page that strangers see"</h2>
                    <p><a href=without.clone() target="share-preview-frame">"References only"</a> " · " <a href=with_quotes target="share-preview-frame">"With quotations"</a>
                        {with_bundle.map(|href| view! { " · " <a href=href target="share-preview-frame">"With the bundle"</a> })}</p>
                    <iframe class="share-preview" name="share-preview-frame" title="Preview of the shared page" src=without></iframe>
                </section>
            </div>
        </Frame>
    }
    .into_any()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_form_shows_a_preview_without_quotations_first() {
        let page = NewLink {
            kind: Slot::ASSESSMENT.into(),
            kind_name: "assessment",
            object: "1,2".into(),
            shared: SharedObject { title: "Who opened it?".into(), ..SharedObject::default() },
            has_bundle: true,
        };
        let html = feature::testing::render_page(|viewer| {
            view! { <PageBody viewer page days=30 max_days=365 error=None /> }.into_any()
        });
        assert!(html.contains("src=\"/shares/preview?kind=assessment&amp;object=1%2C2&amp;quotes=&amp;bundle=\""), "{html}");
        assert!(html.contains("Who opened it?") && html.contains("max=\"365\""), "{html}");
        assert!(html.contains("name=\"bundle\"") && html.contains("quotes=1&amp;bundle=1"), "{html}");
    }
}
