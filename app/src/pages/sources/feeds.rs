//! Feeds: how many are followed, those that people added, and adding more by address or from a list.

use crate::format;
use domain::fetch::{FeedEntry, FeedGroup};
use leptos::prelude::*;

#[component]
pub fn Feeds(
    built_in: usize,
    feeds: Vec<FeedEntry>,
    found: Vec<String>,
    added: Option<String>,
    may_change: bool,
) -> impl IntoView {
    let count = format::count(built_in as u64, "feed comes", "feeds come");
    let none = feeds.is_empty().then_some(" Nobody has added one yet.");
    let added = added.and_then(|number| number.parse().ok()).map(|number: u64| match number {
        0 => "Every feed of that list is followed already.".to_owned(),
        _ => format!("{} added.", format::count(number, "feed was", "feeds were")),
    });
    let rows = feeds.into_iter().map(|feed| view! { <Feed feed may_change /> }).collect_view();
    view! {
        <section aria-labelledby="feeds-title" class="settings-part" id="feed-list">
            <h2 id="feeds-title">"Feeds"</h2>
            {added.map(|words| view! { <p class="notice" role="status">{words}</p> })}
            <p class="hint">
                {count} " with AutOSINT." {none} " " <a href="/sources/feeds.opml" download="autosint-feeds.opml">"Export all as OPML"</a>
            </p>
            <ul class="setting-list">{rows}</ul>
            {may_change.then(|| view! { <Add found /> })}
        </section>
    }
    .into_any()
}

#[component]
fn Feed(feed: FeedEntry, may_change: bool) -> impl IntoView {
    let FeedEntry { title, address, group, region, language } = feed;
    let of = [group_words(group).to_owned(), region, language];
    let of = of.into_iter().filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" · ");
    let remove = format!("Remove {title}");
    view! {
        <li class="setting">
            <div>
                <p><strong>{title}</strong> " · " {of}</p>
                <p class="hint"><code>{address.clone()}</code></p>
            </div>
            {may_change.then(|| view! {
                <form method="post" action="/sources/feeds/remove">
                    <input type="hidden" name="address" value=address />
                    <button class="quiet" type="submit" aria-label=remove>"Remove"</button>
                </form>
            })}
        </li>
    }
    .into_any()
}

#[component]
fn Add(found: Vec<String>) -> impl IntoView {
    let options =
        FeedGroup::ALL.map(|group| view! { <option value=group.as_str()>{group_words(group)}</option> }).collect_view();
    view! {
        {(!found.is_empty()).then(|| view! { <Choice found /> })}
        <div class="feed-forms">
            <form method="post" action="/sources/feeds" class="form">
                <h3>"Add a feed"</h3>
                <div class="field">
                    <label for="address">"Address of a feed or of a site"</label>
                    <input id="address" name="address" type="url" autocomplete="off" spellcheck="false" required aria-describedby="address-hint" />
                    <p class="hint" id="address-hint">"A site is looked through for the feeds that it announces."</p>
                </div>
                <div class="field-row">
                    <div class="field">
                        <label for="group">"Shown under"</label>
                        <select id="group" name="group">{options}</select>
                    </div>
                    <div class="field">
                        <label for="region">"Region"</label>
                        <input id="region" name="region" autocomplete="off" placeholder="africa" maxlength="40" />
                    </div>
                    <div class="field">
                        <label for="language">"Language"</label>
                        <input id="language" name="language" autocomplete="off" placeholder="en" maxlength="2" pattern="[a-z]{2}" />
                    </div>
                </div>
                <button type="submit">"Add"</button>
            </form>
            <form method="post" action="/sources/opml" enctype="multipart/form-data" class="form">
                <h3>"Import a list"</h3>
                <div class="field">
                    <label for="opml">"OPML file of a feed reader"</label>
                    <input id="opml" name="opml" type="file" accept=".opml,.xml,text/xml" required />
                </div>
                <button type="submit">"Import"</button>
            </form>
        </div>
    }
    .into_any()
}

/// Several feeds were found at an address.
#[component]
fn Choice(found: Vec<String>) -> impl IntoView {
    let rows = found
        .into_iter()
        .map(|address| {
            let add = format!("Add {address}");
            view! {
                <li class="setting">
                    <code>{address.clone()}</code>
                    <form method="post" action="/sources/feeds">
                        <input type="hidden" name="address" value=address />
                        <button type="submit" aria-label=add>"Add"</button>
                    </form>
                </li>
            }
        })
        .collect_view();
    view! {
        <div class="notice" role="status">
            <p>"That address leads to several feeds. Add those that you want:"</p>
            <ul class="setting-list">{rows}</ul>
        </div>
    }
    .into_any()
}

fn group_words(group: FeedGroup) -> &'static str {
    match group {
        FeedGroup::Outlets => "Outlets",
        FeedGroup::UnitedNations => "United Nations",
        FeedGroup::CentralBanks => "Central banks",
        FeedGroup::Governments => "Governments",
    }
}
