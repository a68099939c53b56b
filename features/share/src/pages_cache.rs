//! Rendered pages of links, with their bundles, in memory. Its size is bounded, and one page is rendered at a time.
//!
//! Invariant: a page in memory is younger than `fresh_ms` and not expired when it is shown. Older ones leave the memory. A refused
//! token costs one look-up of the link, for any reason.

use crate::{
    document::{PageFrame, page_of_link},
    link::{LinkId, ShareLink, path_of_token},
    picture::draw_picture,
    settings::ShareSettings,
    store::ShareStore,
};
use bytes::Bytes;
use domain::{Timestamp, user::User};
use engine::{StoreResult, accounts::hash_token};
use feature::{BundlePort, BundleRequest, ShareableKind, SharedObject, Web, shareable::SharedTitle};
use moka::future::Cache;
use std::{
    collections::HashMap,
    sync::{
        Arc, OnceLock,
        atomic::{AtomicBool, AtomicU64, Ordering},
    },
    time::Duration,
};
use tokio::sync::{Mutex, OnceCell};

/// Page of a link as it was rendered, with the views since the last count.
pub struct CachedPage {
    /// None where the person who shares may not show the object.
    pub content: Option<PageContent>,
    link: ShareLink,
    /// Bundle, once somebody has asked for it; none within where the link has none.
    bundle: OnceCell<Option<Bytes>>,
    rendered_at: Timestamp,
    views: Arc<AtomicU64>,
    /// Whether a view since the rendering wrote the count.
    is_counted: AtomicBool,
}

/// Page and picture of a link.
#[derive(Clone)]
pub struct PageContent {
    pub html: Bytes,
    pub picture: Bytes,
}

/// Cache of pages by the hashes of their tokens. A cheap clone.
#[derive(Clone, Default)]
pub struct PagesCache {
    pages: Arc<OnceLock<Cache<String, Arc<CachedPage>>>>,
    /// Views since the last count, which the next rendering of a page goes on with.
    views: Arc<OnceLock<Cache<String, Arc<AtomicU64>>>>,
    rendering: Arc<Mutex<()>>,
}

impl PagesCache {
    fn pages(&self, web: &Web) -> &Cache<String, Arc<CachedPage>> {
        self.pages.get_or_init(|| {
            let settings = web.settings.get::<ShareSettings>();
            let life = Duration::from_millis(settings.fresh_ms);
            Cache::builder().max_capacity(settings.cached_pages).time_to_live(life).build()
        })
    }

    fn views(&self, web: &Web) -> &Cache<String, Arc<AtomicU64>> {
        self.views.get_or_init(|| Cache::new(web.settings.get::<ShareSettings>().cached_pages))
    }

    /// Returns the page of a token; none for one that is guessed, expired, revoked or withdrawn.
    pub async fn load(&self, web: &Web, token: &str) -> StoreResult<Option<Arc<CachedPage>>> {
        let (token_hash, now) = (hash_token(token), web.engine.clock.now());
        if let Some(page) = self.fresh(web, &token_hash, now).await.filter(|page| page.content.is_some()) {
            return Ok(Some(page));
        }
        let Some(link) = ShareStore::new(web).find(&token_hash, now).await? else { return Ok(None) };
        let _rendering = self.rendering.lock().await;
        let page = match self.fresh(web, &token_hash, now).await {
            Some(page) => page,
            None => {
                let content = render(web, &link, token).await?;
                let views = self.views(web).get_with(token_hash.clone(), std::future::ready(Arc::default())).await;
                let page = Arc::new(CachedPage {
                    content,
                    link,
                    bundle: OnceCell::new(),
                    rendered_at: now,
                    views,
                    is_counted: AtomicBool::new(false),
                });
                self.pages(web).insert(token_hash, page.clone()).await;
                page
            }
        };
        Ok(Some(page).filter(|page| page.content.is_some()))
    }

    /// Returns the bundle of a page; none where its link has none. It is written once per rendering of the page.
    pub async fn load_bundle(&self, web: &Web, page: &CachedPage) -> StoreResult<Option<Bytes>> {
        let written = page.bundle.get_or_try_init(|| async {
            let _rendering = self.rendering.lock().await;
            write_bundle(web, &page.link).await
        });
        Ok(written.await?.clone())
    }

    async fn fresh(&self, web: &Web, token_hash: &str, now: Timestamp) -> Option<Arc<CachedPage>> {
        let fresh_ms = web.settings.get::<ShareSettings>().fresh_ms.cast_signed();
        let page = self.pages(web).get(token_hash).await?;
        (now < page.link.expires_at && now.ms_since(page.rendered_at) < fresh_ms).then_some(page)
    }

    /// Counts a view. The first one after a rendering writes the number of all, so that a page costs one write per `fresh_ms`.
    pub async fn count_view(&self, web: &Web, page: &CachedPage) {
        page.views.fetch_add(1, Ordering::Relaxed);
        if !page.is_counted.swap(true, Ordering::Relaxed)
            && let Err(error) = write_views(web, &page.link, &page.views).await
        {
            tracing::warn!(%error, "views of a share link not counted");
        }
    }

    /// Writes the views of links that this process has counted since, and adds them to the links.
    pub async fn write_views(&self, web: &Web, links: &mut [ShareLink]) -> StoreResult<()> {
        for link in links {
            if let Some(views) = self.views(web).get(&link.token_hash).await {
                link.views += write_views(web, link, &views).await?;
            }
        }
        Ok(())
    }

    /// Removes the page of a link.
    pub async fn remove(&self, web: &Web, token_hash: &str) {
        self.pages(web).invalidate(token_hash).await;
    }
}

/// Writes the views of a link since the last count, and returns their number.
async fn write_views(web: &Web, link: &ShareLink, views: &AtomicU64) -> StoreResult<u64> {
    let views = views.swap(0, Ordering::Relaxed);
    if views > 0 {
        ShareStore::new(web).add_views(&link.token_hash, views).await?;
    }
    Ok(views)
}

/// Returns the kind with a key.
pub fn kind_of(web: &Web, key: &str) -> Option<ShareableKind> {
    web.shareable.iter().copied().find(|kind| kind.key == key)
}

/// Returns whether a person may share by links now.
fn may_share(web: &Web, sharer: &User) -> bool {
    !sharer.is_disabled && web.settings.get::<ShareSettings>().may_share(sharer.role)
}

/// Returns title and address of the objects that `sharer` may show now, by their links. It reads each kind once.
pub async fn load_titles(web: &Web, sharer: &User, links: &[ShareLink]) -> StoreResult<HashMap<LinkId, SharedTitle>> {
    let mut titles = HashMap::new();
    if !may_share(web, sharer) {
        return Ok(titles);
    }
    for kind in web.shareable.iter() {
        let of_kind: Vec<&ShareLink> = links.iter().filter(|link| link.kind == kind.key).collect();
        if of_kind.is_empty() {
            continue;
        }
        let references = of_kind.iter().map(|link| link.object.clone()).collect();
        let found = (kind.titles)(web.clone(), sharer.clone(), references).await?;
        titles.extend(of_kind.into_iter().filter_map(|link| Some((link.id, found.get(&link.object)?.clone()))));
    }
    Ok(titles)
}

/// Returns the object of a reference as `sharer` may show it now.
pub async fn load_object(web: &Web, sharer: &User, kind: &str, object: &str) -> StoreResult<Option<SharedObject>> {
    match kind_of(web, kind).filter(|_| may_share(web, sharer)) {
        Some(kind) => (kind.load)(web.clone(), sharer.clone(), object.to_owned()).await,
        None => Ok(None),
    }
}

/// Returns the port that bundles the objects of a kind.
pub fn bundle_port(web: &Web, kind: &str) -> Option<BundlePort> {
    web.bundles.filter(|port| port.kind == kind)
}

/// Returns the port that bundles the object of a link; none for a link that offers no bundle.
fn bundle_port_of_link(web: &Web, link: &ShareLink) -> Option<BundlePort> {
    bundle_port(web, &link.kind).filter(|_| link.sources.have_bundle())
}

async fn write_bundle(web: &Web, link: &ShareLink) -> StoreResult<Option<Bytes>> {
    let Some(port) = bundle_port_of_link(web, link) else { return Ok(None) };
    let Some(person) = web.engine.accounts.user(link.user).await?.filter(|sharer| may_share(web, sharer)) else {
        return Ok(None);
    };
    let request = BundleRequest { person, object: link.object.clone(), salt: link.token_hash.clone() };
    Ok((port.write)(web.clone(), request).await?.map(Bytes::from))
}

async fn render(web: &Web, link: &ShareLink, token: &str) -> StoreResult<Option<PageContent>> {
    let Some(sharer) = web.engine.accounts.user(link.user).await? else { return Ok(None) };
    let Some(object) = load_object(web, &sharer, &link.kind, &link.object).await? else { return Ok(None) };
    let settings = web.settings.get::<ShareSettings>();
    let address = (!settings.address.is_empty()).then(|| format!("{}{}", settings.address, path_of_token(token)));
    let picture = draw_picture(&object.bars);
    let frame = PageFrame {
        sharer: sharer.name,
        note: link.note.clone(),
        shows_quotes: link.sources.have_quotes(),
        created_at: link.created_at,
        expires_at: link.expires_at,
        address,
        bundle: bundle_port_of_link(web, link).map(|_| format!("{}/bundle.html", path_of_token(token))),
    };
    Ok(Some(PageContent { html: page_of_link(object, &frame).into(), picture: picture.into() }))
}
