//! Tests of settings, sources, people and accounts, and of the pages for administrators.

use super::{assert_shows, rendered};
use crate::{
    pages::{
        account::{ConfirmBody, PageBody as AccountWhole},
        audit_log::PageBody as AuditLogWhole,
        failed_orders::PageBody as FailedOrdersWhole,
        fixtures,
        people::PageBody as PeopleWhole,
        settings::PageBody as SettingsWhole,
        sources::PageBody as SourcesWhole,
        tools::PageBody as ToolsWhole,
    },
    prelude::*,
};
use domain::{fetch::FeedEntry, model_choice::ModelRole};
use views::{
    ToolsView,
    settings::{FeatureRole, KeyState, ListedModels, RoleModels, SettingsView},
    sources::{SourceNotice, SourcesView},
};

fn settings(name: &str, page: SettingsView) -> String {
    rendered(name, || view! { <SettingsWhole viewer=fixtures::viewer() page error=None /> })
}

/// The page on which a provider of the fixture is chosen.
fn settings_of(provider: &str) -> String {
    let (page, chosen) = (fixtures::settings_view(), Some(provider.to_owned()));
    let name = format!("settings-{provider}");
    rendered(&name, || view! { <SettingsWhole viewer=fixtures::viewer() page error=None provider=chosen /> })
}

#[test]
fn a_role_is_named_in_words() {
    let mut page = fixtures::settings_view();
    let models = RoleModels { role: "response_scout".into(), models: vec![] };
    page.setup.as_mut().unwrap().features = vec![FeatureRole { models, fallback: "analyst".into() }];
    let html = settings("settings-added-role", page);
    assert!(html.contains("<strong>Response scout</strong>") && html.contains("as the analyst"), "{html}");
}

#[test]
fn settings_list_the_stored_keys_without_their_values() {
    let html = settings("settings", fixtures::settings_view());
    assert_shows(
        &html,
        "ollama:qwen3:8b|Key stored|set OPENAI_API_KEY|Usable|Testing|Needs no key|href=\"/settings?provider=openai#key-title\"",
    );
    assert!(!html.contains("/settings/keys") && !html.contains("/settings/list"), "no provider is chosen: {html}");
    assert!(!html.contains("Answers"), "a circuit that is closed has not answered for that");
    assert!(html.contains("Down: next try at"));
    let caps = "500,000 tokens, USD\u{a0}5.00<br>yours: 900,000 tokens, USD\u{a0}5.00";
    assert!(html.contains(caps), "what is configured, and what holds for the reader: {html}");
    assert_eq!(html.matches("yours: ").count(), 1, "only where they differ");
    assert!(!html.contains("id=\"tested\""), "{html}");
    let (page, tested) = (fixtures::settings_view(), Some("extractive".to_owned()));
    let html = rendered("settings-tested", || view! { <SettingsWhole viewer=fixtures::viewer() page error=None tested /> });
    let target = html.split("id=\"tested\"").nth(1).and_then(|rest| rest.split("</li>").next()).unwrap();
    assert!(target.contains("tabindex=\"-1\"") && target.contains("extractive"), "{target}");
    assert!(!html.contains("Use for all roles: "), "it has not passed: {html}");
    let page = fixtures::settings_view();
    let tested = page.setup.as_ref().map(|setup| setup.models[0].name.clone());
    let html = rendered("settings-passed", || view! { <SettingsWhole viewer=fixtures::viewer() page error=None tested /> });
    assert_eq!(html.matches("aria-label=\"Use for all roles: ").count(), 1, "{html}");
    let past = SettingsView { now: fixtures::settings_view().now.plus_ms(60_000), ..fixtures::settings_view() };
    let html = settings("settings-past", past);
    assert!(html.contains("Down: ready for a retry") && !html.contains("next try at"), "{html}");
    let own = SettingsView { setup: None, ..fixtures::settings_view() };
    let html = settings("settings-own", own);
    assert!(!html.contains("/settings/keys") && !html.contains("/settings/probe"));
}

#[test]
fn a_step_that_connects_a_model_is_offered_once_the_one_before_is_done() {
    let waits = "Offered once a provider has its key.|offered once its provider has listed it|Offered right after a model has passed its test.";
    let mut page = fixtures::settings_view();
    for line in &mut page.setup.as_mut().unwrap().providers {
        (line.key, line.is_stored, line.listed) = (KeyState::Missing, false, None);
    }
    let html = settings("settings-first-step", page);
    assert_shows(&html, waits);
    assert!(html.contains("Offered once a provider is chosen.") && !html.contains("/settings/keys"), "{html}");
    assert!(!html.contains("/settings/list") && !html.contains("<select"), "{html}");
    let mut page = fixtures::settings_view();
    let tested = page.setup.as_ref().map(|setup| setup.models[0].name.clone());
    page.setup.as_mut().unwrap().providers[0].listed = Some(ListedModels::Names(vec!["claude-sonnet-4-6".into()]));
    let html = rendered("settings-last-step", || view! { <SettingsWhole viewer=fixtures::viewer() page error=None tested /> });
    assert!(waits.split('|').all(|text| !html.contains(text)), "{html}");
    let places = [
        "Choose a provider",
        "Give it its key",
        "List its models",
        "Test a model",
        "Use it for all roles",
        "Advanced: type a model",
    ];
    let places = places.map(|text| html.find(text).unwrap());
    assert!(places.is_sorted(), "{places:?}");
    assert!(!html.contains("In use for all roles"), "the roles have different models: {html}");
    let mut page = fixtures::settings_view();
    for role in ModelRole::ALL {
        page.setup.as_mut().unwrap().choices.set(role, Some("ollama:qwen3:8b".into()));
    }
    assert!(settings("settings-all-roles", page).contains("In use for all roles: "));
}

#[test]
fn the_steps_are_those_of_the_chosen_provider() {
    let html = settings_of("openai");
    assert_shows(&html, "Key of openai|openai:models has no key|aria-current=\"true\">openai");
    assert!(!html.contains("/settings/list") && !html.contains("id=\"try-model\""), "it has no key: {html}");
    assert_eq!(html.matches("type=\"password\"").count(), 1, "{html}");
    let html = settings_of("anthropic");
    assert_shows(&html, "/settings/keys/remove|/settings/list|anthropic:claude-sonnet-4-6|its provider has listed it");
    assert!(!html.contains("aria-label=\"Test ollama:qwen3:8b\""), "the tests of its models only: {html}");
    let html = settings_of("ollama");
    assert_shows(&html, "<select id=\"try-model\" name=\"model\">|<option value=\"ollama:llama3.2\">llama3.2|2 models");
    let mut page = fixtures::settings_view();
    page.setup.as_mut().unwrap().providers[1].listed = Some(ListedModels::Problem("It lists no models.".into()));
    let provider = Some("ollama".to_owned());
    let html = rendered("settings-unlisted", || view! { <SettingsWhole viewer=fixtures::viewer() page error=None provider /> });
    assert!(html.contains("<input id=\"try-model\"") && html.contains("value=\"ollama:\""), "{html}");
}

#[test]
fn sources_show_their_state_and_only_administrators_change_them() {
    let render = |name: &str, page, found: Vec<String>| {
        let typed = FeedEntry { address: "https://klaxon.example/".into(), ..Default::default() };
        let notice =
            |part: &str, words: &str, feed| SourceNotice { part: part.into(), words: words.into(), is_failure: true, feed };
        let notice = match name {
            "sources" => notice("gdelt", "It answered with 3 hits.", None),
            _ => notice("new-feed", "klaxon.example does not answer", Some(typed)),
        };
        rendered(name, || view! { <SourcesWhole viewer=fixtures::viewer() page error=None found notice=Some(notice) /> })
    };
    let html = render("sources", fixtures::sources_view(), vec!["https://post.example/comments".into()]);
    assert_shows(
        &html,
        "Failing|role=\"switch\"|aria-checked=\"true\"|aria-label=\"GDELT\"|api.example does not answer|\
             Found 7 documents with 96 claims.|Needs a key|\
             set AUTOSINT_SOURCE_KEY_BRAVE|A key is stored|It answered with 3 hits.|\
             1 feed comes with AutOSINT|https://tin.example/rss|Norlin Post|https://post.example/comments|\
             Turn on all available",
    );
    let state = |html: &str, text: &str| html.matches(&format!(">{text}</span>")).count();
    assert_eq!((state(&html, "Off"), state(&html, "On")), (1, 2), "the switch of a source is the only word on it: {html}");
    let own = SourcesView { may_change: false, ..fixtures::sources_view() };
    let own = render("sources-own", own, vec![]);
    assert!(!own.contains("action=\"/sources") && own.contains("Failing") && state(&own, "Off") == 1, "{own}");
    let none = SourcesView { sources: vec![], feeds: vec![], ..fixtures::sources_view() };
    let html = render("sources-none", none, vec![]);
    assert!(html.contains("All sources are off") && html.contains("No feeds added yet."));
    assert!(html.contains("klaxon.example does not answer") && html.contains("https://klaxon.example/"), "{html}");
}

#[test]
fn people_can_be_added_changed_and_disabled_without_javascript() {
    let html = rendered("people", || {
        let (page, error) = (fixtures::people(), Some("last_admin".to_owned()));
        view! { <PeopleWhole viewer=fixtures::viewer() page name=String::new() error /> }
    });
    assert_shows(&html, "action=\"/people\"|/role\"|/disable\"|/enable\"|Disabled|(you)|At least one administrator");
    assert!(!html.contains("autofocus"));
    let html = rendered("people-short", || {
        let (page, error) = (fixtures::people(), Some("password_short".to_owned()));
        view! { <PeopleWhole viewer=fixtures::viewer() page name="bea".to_owned() error /> }
    });
    let field = html.split_once("id=\"password\"").unwrap().1.split_once('>').unwrap().0;
    assert!(field.contains("autofocus"), "{field}");
    assert_eq!(html.matches("selected").count(), 4, "the role of each of three, and that of a new one");
}

#[test]
fn an_account_page_changes_the_password_and_lists_devices_without_javascript() {
    let page = |viewer: User, error: Option<&str>, is_changed| {
        let (page, error) = (fixtures::account(), error.map(str::to_owned));
        rendered("account", || view! { <AccountWhole viewer page error is_changed /> })
    };
    let html = page(fixtures::viewer(), None, true);
    assert_shows(
        &html,
        "action=\"/account/password\"|name=\"old_password\"|action=\"/account/sign-out-everywhere\"|\
             Firefox on Linux|This device|Password changed.|href=\"/account\"",
    );
    let viewer = User { must_change_password: true, ..fixtures::viewer() };
    let html = page(viewer, Some("must_change_password"), false);
    assert!(html.contains("Choose your own to continue") && !html.contains("Sign out everywhere"), "{html}");
    let html = rendered("confirm", || {
        view! { <ConfirmBody viewer=fixtures::viewer() error=Some("wrong_old_password".to_owned()) next="/people".to_owned() /> }
    });
    assert!(html.contains("value=\"/people\"") && html.contains("Incorrect password."), "{html}");
}

#[test]
fn the_audit_log_has_person_action_time_and_address() {
    let html = rendered("audit-log", || view! { <AuditLogWhole viewer=fixtures::viewer() page=fixtures::audit_log() /> });
    assert_shows(&html, "Sign in locked|No account|Command line|203.0.113.9|250 entries|Next page|action=\"/people/log\"");
}

#[test]
fn tool_statistics_are_shown_in_words_as_well_as_colours() {
    let html = rendered("tools", || view! { <ToolsWhole viewer=fixtures::viewer() page=fixtures::tools_view() /> });
    assert_shows(
        &html,
        "fetch_url| on |gdelt|62\u{a0}%|12 excellent, 40 good|not judged|judging 640\u{a0}ms|\
             aria-current=\"page\"|qwen3",
    );
    assert!(html.contains("class=\"stacked\"") && html.contains("data-label=\"Verified\""), "a phone gets cards");
    let html = rendered("tools-empty", || {
        let page = ToolsView { lines: vec![], reflector: None, ..fixtures::tools_view() };
        view! { <ToolsWhole viewer=fixtures::viewer() page /> }
    });
    assert!(html.contains("No tool calls in this period") && html.contains("models.reflector") && !html.contains("<table"));
}

#[test]
fn failed_work_orders_can_be_requeued_while_their_investigation_goes_on() {
    let (viewer, page) = (fixtures::viewer(), fixtures::failed_orders());
    let [open, ended] = [page.lines[0].id, page.lines[1].id];
    let html = rendered("failed-orders", || view! { <FailedOrdersWhole viewer page error=None /> });
    assert_shows(
        &html,
        "Find the gate log of 4 May|more than 4 tool calls|Private to its owner|\
             Its investigation has ended.",
    );
    assert!(html.contains(&format!("/work-orders/{open}/requeue")) && html.contains(&format!("/work-orders/{ended}/discard")));
    assert!(!html.contains(&format!("/work-orders/{ended}/requeue")));
    assert_shows(&html, "aria-label=\"Requeue: Find the gate log of 4 May\"|aria-label=\"Discard: ");
}
