//! Feeds: how many are followed, those that people added, and adding more by address or from a list.

use super::NoticeText;
use crate::prelude::*;
use domain::fetch::{FeedEntry, FeedGroup, REGIONS};
use std::collections::BTreeMap;
use views::sources::SourceNotice;

#[component]
pub fn Feeds(
    built_in: Vec<FeedEntry>,
    feeds: Vec<FeedEntry>,
    found: Vec<String>,
    notice: Option<SourceNotice>,
    may_change: bool,
) -> impl IntoView {
    let none = feeds.is_empty().then_some("No feeds added yet. ");
    let of_list = notice.clone().filter(|notice| notice.part == SourceNotice::FEED_LIST);
    let of_form = notice.filter(|notice| notice.part == SourceNotice::NEW_FEED);
    let rows = feeds.into_iter().map(|feed| view! { <Feed feed may_change /> }).collect_view();
    view! {
        <section aria-labelledby="feeds-title" class="settings-part" id=SourceNotice::FEED_LIST>
            <h2 id="feeds-title">"Feeds"</h2>
            {of_list.map(|notice| view! { <NoticeText notice /> })}
            <BuiltIn feeds=built_in />
            {may_change.then(|| view! {
                <p class="hint">{none} <a href="/sources/feeds.opml" download="autosint-feeds.opml">"Export all as OPML"</a></p>
                <ul class="setting-list">{rows}</ul>
            })}
            {may_change.then(|| view! { <Add found notice=of_form /> })}
        </section>
    }
}

/// Those of the configuration by region, folded away.
#[component]
fn BuiltIn(feeds: Vec<FeedEntry>) -> impl IntoView {
    let count = format!("{} with AutOSINT", format::count(feeds.len() as u64, "feed comes", "feeds come"));
    let mut regions: BTreeMap<String, Vec<FeedEntry>> = BTreeMap::new();
    for feed in feeds {
        regions.entry(feed.region.clone()).or_default().push(feed);
    }
    let parts = regions.into_iter().map(|(region, feeds)| {
        let title = if region.is_empty() { "No region".to_owned() } else { region_words(&region) };
        let rows = feeds.into_iter().map(|feed| view! { <Feed feed may_change=false /> }).collect_view();
        view! { <h3>{title}</h3> <ul class="setting-list">{rows}</ul> }
    });
    let parts = parts.collect_view();
    view! { <details><summary>{count}</summary>{parts}</details> }.into_any()
}

#[component]
fn Feed(feed: FeedEntry, may_change: bool) -> impl IntoView {
    let FeedEntry { title, address, group, region, language } = feed;
    let of = [group_words(group).to_owned(), region_words(&region), language];
    let of = of.into_iter().filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" · ");
    let remove = format!("Remove {title}");
    view! {
        <li class="setting">
            <div>
                <p><strong>{title.clone()}</strong> " · " {of}</p>
                {(!address.is_empty()).then(|| view! { <p class="hint"><code>{address.clone()}</code></p> })}
            </div>
            {may_change.then(|| view! {
                <Confirm text="Remove…" about=title.clone() warning="Questions no longer search this feed. Documents from it stay.">
                    <form method="post" action="/sources/feeds/remove">
                        <input type="hidden" name="address" value=address.clone() />
                        <button class="outline" type="submit" aria-label=remove.clone()>"Remove the feed"</button>
                    </form>
                </Confirm>
            })}
        </li>
    }
}

#[component]
fn Add(found: Vec<String>, notice: Option<SourceNotice>) -> impl IntoView {
    let typed = notice.as_ref().and_then(|notice| notice.feed.clone()).unwrap_or_default();
    let options = FeedGroup::ALL.map(|group| {
        view! { <option value=group.as_str() selected={group == typed.group}>{group_words(group)}</option> }
    });
    let options = options.collect_view();
    let regions =
        REGIONS.map(|region| view! { <option value=region selected={region == typed.region}>{region_words(region)}</option> });
    let regions = regions.collect_view();
    let choice = (!found.is_empty()).then(|| view! { <Choice found typed=typed.clone() /> });
    // After an error the focus is in the field.
    let is_wrong = notice.as_ref().is_some_and(|notice| notice.is_failure);
    view! {
        {choice}
        <div class="feed-forms">
            <form method="post" action="/sources/feeds" class="form" id=SourceNotice::NEW_FEED>
                <h3>"Add a feed"</h3>
                {notice.filter(|notice| !notice.words.is_empty()).map(|notice| view! { <NoticeText notice /> })}
                <div class="field">
                    <label for="address">"Address of a feed or of a site"</label>
                    <input id="address" name="address" type="url" autocomplete="off" spellcheck="false" required
                        aria-describedby="address-hint" value=typed.address autofocus=is_wrong />
                    <p class="hint" id="address-hint">"For a site, its announced feeds are found."</p>
                </div>
                <div class="field-row">
                    <div class="field">
                        <label for="group">"Shown under"</label>
                        <select id="group" name="group">{options}</select>
                    </div>
                    <div class="field">
                        <label for="region">"Region"</label>
                        <select id="region" name="region"><option value="">"Unknown"</option>{regions}</select>
                    </div>
                    <div class="field">
                        <label for="language">"Language"</label>
                        <input id="language" name="language" autocomplete="off" placeholder="en" maxlength="2" pattern="[a-z]{2}" value=typed.language />
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
}

/// Several feeds were found at an address.
#[component]
fn Choice(found: Vec<String>, typed: FeedEntry) -> impl IntoView {
    let rows = found
        .into_iter()
        .map(|address| {
            let add = format!("Add {address}");
            view! {
                <li class="setting">
                    <code>{address.clone()}</code>
                    <form method="post" action="/sources/feeds">
                        <input type="hidden" name="address" value=address />
                        <input type="hidden" name="group" value=typed.group.as_str() />
                        <input type="hidden" name="region" value=typed.region.clone() />
                        <input type="hidden" name="language" value=typed.language.clone() />
                        <button type="submit" aria-label=add>"Add"</button>
                    </form>
                </li>
            }
        })
        .collect_view();
    view! {
        <div class="notice" role="status">
            <p>"Several feeds found. Add the ones you want:"</p>
            <ul class="setting-list">{rows}</ul>
        </div>
    }
    .into_any()
}

/// `Middle East` of `middle_east`.
fn region_words(region: &str) -> String {
    let capital = |word: &str| {
        let mut letters = word.chars();
        letters.next().map(|first| first.to_uppercase().collect::<String>() + letters.as_str()).unwrap_or_default()
    };
    region.split('_').map(capital).collect::<Vec<_>>().join(" ")
}

fn group_words(group: FeedGroup) -> &'static str {
    match group {
        FeedGroup::Outlets => "Outlets",
        FeedGroup::UnitedNations => "United Nations",
        FeedGroup::CentralBanks => "Central banks",
        FeedGroup::Governments => "Governments",
    }
}
