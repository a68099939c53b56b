//! Watched objects of other features: the button on their pages, and their part of the page of what a person watches.

use super::watched::{PAGE, TOO_MANY};
use crate::{
    objects::{ObjectOutcome, ObjectWatch, readable_objects, watch_object},
    store::WatchingStore,
    watch::WatchId,
};
use app::{Notice, format};
use axum::{body::Body, http::Response};
use domain::{ObjectId, Timestamp, UserId, user::User};
use engine::StoreResult;
use feature::{FormPost, Slot, WatchedObject, Web, redirect};
use leptos::prelude::*;
use serde::Deserialize;

/// Address that forms of the buttons are sent to.
pub const OBJECTS: &str = "/watching/objects";

#[derive(Default, Deserialize)]
#[serde(default)]
pub struct ObjectForm {
    kind: String,
    object: String,
}

#[derive(Default, Deserialize)]
#[serde(default)]
pub struct EndForm {
    watch: String,
    /// Set on the page of the object, which the answer leads back to.
    back: String,
}

/// Watched objects of one kind.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ObjectGroup {
    pub title: &'static str,
    pub lines: Vec<ObjectLine>,
}

/// Watched object on its list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ObjectLine {
    pub watch: ObjectWatch,
    /// None where the person may read it no more.
    pub object: Option<WatchedObject>,
    /// Last change of each sign, newest first.
    pub changes: Vec<(String, Timestamp)>,
}

/// Handler of `POST /watching/objects`.
pub async fn add(post: FormPost<ObjectForm>) -> Response<Body> {
    match watch_object(&post.web, &post.user, &post.form.kind, &post.form.object).await {
        Ok(ObjectOutcome::Watched(href)) => redirect(&href),
        Ok(ObjectOutcome::NotFound) => post.lead_to(PAGE, Notice::NotFound.code()),
        Ok(ObjectOutcome::TooMany) => post.lead_to(PAGE, TOO_MANY.code),
        Err(error) => post.fail(PAGE, &error).await,
    }
}

/// Handler of `POST /watching/objects/remove`.
pub async fn remove(post: FormPost<EndForm>) -> Response<Body> {
    let Ok(id) = post.form.watch.parse::<WatchId>() else { return post.lead_to(PAGE, Notice::NotFound.code()) };
    match end_watch(&post.web, &post.user, id).await {
        Ok(Some(href)) if !post.form.back.is_empty() => redirect(&href),
        Ok(Some(_)) => redirect(PAGE),
        Ok(None) => post.lead_to(PAGE, Notice::NotFound.code()),
        Err(error) => post.fail(PAGE, &error).await,
    }
}

/// Ends a watch of `user`; returns the address of its object, or of the list where they do not read it. None without the watch.
async fn end_watch(web: &Web, user: &User, id: WatchId) -> StoreResult<Option<String>> {
    let store = WatchingStore::new(web);
    let Some(watch) = store.objects(user.id).await?.into_iter().find(|watch| watch.id == id) else { return Ok(None) };
    let object = readable_objects(web, user, &[watch]).await?.remove(&id);
    store.remove_object(user.id, id).await?;
    Ok(Some(object.map_or_else(|| PAGE.to_owned(), |object| object.href)))
}

/// Loads the objects that `viewer` watches, by kind, newest first.
pub async fn load(web: &Web, viewer: &User) -> StoreResult<Vec<ObjectGroup>> {
    let store = WatchingStore::new(web);
    let watches = store.objects(viewer.id).await?;
    if watches.is_empty() {
        return Ok(vec![]);
    }
    let mut objects = readable_objects(web, viewer, &watches).await?;
    let changes = store.changes(viewer.id, Timestamp::from_micros(0)).await?;
    let mut line = |watch: &ObjectWatch| {
        let object = objects.remove(&watch.id);
        let changes = changes.iter().filter(|change| change.watch.id == watch.id && object.is_some());
        let changes = changes.map(|change| (change.text.clone(), change.at)).collect();
        ObjectLine { watch: watch.clone(), object, changes }
    };
    let mut groups = vec![];
    for kind in web.watched.iter() {
        let lines: Vec<ObjectLine> = watches.iter().filter(|watch| watch.kind == kind.key).map(&mut line).collect();
        if !lines.is_empty() {
            groups.push(ObjectGroup { title: kind.title, lines });
        }
    }
    Ok(groups)
}

/// Piece of the feature on the page of an object.
pub fn piece(place: &Slot) -> Option<AnyView> {
    let Slot::Object { viewer, kind, object, title } = place else { return None };
    Some(view! { <ObjectButton viewer=*viewer kind=*kind object=*object title=title.clone() /> }.into_any())
}

/// Returns the person's watch of an object; none when it cannot be read, so that the page stands all the same.
async fn own_watch(viewer: UserId, kind: &str, object: ObjectId) -> Option<ObjectWatch> {
    let web = Web::of_page()?;
    let watches = WatchingStore::new(&web).objects(viewer).await.unwrap_or_else(|error| {
        tracing::error!(%error, "watched objects not read");
        vec![]
    });
    watches.into_iter().find(|watch| watch.kind == kind && watch.object == object)
}

/// The button that watches an object, or ends that.
#[component]
fn ObjectButton(viewer: UserId, kind: &'static str, object: ObjectId, title: String) -> impl IntoView {
    Suspend::new(async move {
        match own_watch(viewer, kind, object).await {
            Some(watch) => view! {
                <form method="post" action=format!("{OBJECTS}/remove")>
                    <input type="hidden" name="watch" value=watch.id.to_string() />
                    <input type="hidden" name="back" value="1" />
                    <button type="submit" class="quiet" aria-label=format!("Stop watching: {title}")>"Stop watching"</button>
                </form>
            }
            .into_any(),
            None => view! {
                <form method="post" action=OBJECTS>
                    <input type="hidden" name="kind" value=kind />
                    <input type="hidden" name="object" value=object.to_string() />
                    <button type="submit" class="quiet" aria-label=format!("Watch {title}")>"Watch"</button>
                </form>
            }
            .into_any(),
        }
    })
}

/// Watched objects, a section for each kind.
#[component]
pub fn ObjectSections(groups: Vec<ObjectGroup>) -> impl IntoView {
    let section = |group: ObjectGroup| {
        let lines = group.lines.into_iter().map(|line| view! { <Line line /> }).collect_view();
        view! { <h2>{group.title}</h2> <ul class="rows">{lines}</ul> }
    };
    groups.into_iter().map(section).collect_view().into_any()
}

#[component]
fn Line(line: ObjectLine) -> impl IntoView {
    let ObjectLine { watch, object, changes } = line;
    let (label, title) = match object {
        Some(WatchedObject { title, href, .. }) => {
            (format!("Stop watching: {title}"), view! { <a href=href>{title}</a> }.into_any())
        }
        None => {
            let text = "Something that you may read no more";
            (format!("Stop watching: {text}"), view! { {text} }.into_any())
        }
    };
    let is_empty = changes.is_empty();
    let changes = changes.into_iter().map(|(text, at)| {
        view! { <li>{text} " " <time class="muted" datetime=at.to_string()>{format::minute(at)}</time></li> }
    });
    let changes = changes.collect_view();
    view! {
        <li class="row" id=format!("w{}", watch.id)>
            <p class="row-title">{title}</p>
            <p class="card-facts"><span>"since " <time datetime=watch.at.to_string()>{format::day(watch.at)}</time></span></p>
            {match is_empty {
                true => view! { <p class="muted">"Nothing changed yet."</p> }.into_any(),
                false => view! { <ul class="watch-matches">{changes}</ul> }.into_any(),
            }}
            <form method="post" action=format!("{OBJECTS}/remove")>
                <input type="hidden" name="watch" value=watch.id.to_string() />
                <button type="submit" class="quiet" aria-label=label>"Stop watching"</button>
            </form>
        </li>
    }
    .into_any()
}
