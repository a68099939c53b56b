//! Settings: configured models, provider keys, connection tests, budgets.

mod circuits;
mod connect;
mod models;
mod providers;
mod spending;

use super::{Visit, query, render_page};
use crate::prelude::*;
use circuits::Circuits;
use connect::ConnectModel;
use models::ChosenModels;
use spending::Budgets;
use views::settings::{SettingsView, Setup};

async fn load_settings() -> Result<Visit<(SettingsView, KeptForm)>, AppError> {
    let (_, viewer) = crate::session::viewer().await?;
    let page = crate::session::settings()?.view(&viewer).await?;
    let kept = KeptForm::take_of_page(viewer.id).await;
    Ok(Visit { viewer, page: (page, kept) })
}

#[component]
pub fn SettingsPage() -> impl IntoView {
    let error = query("error");
    let (provider, tested) = (query("provider"), query("tested"));
    render_page(load_settings(), move |Visit { viewer, page: (page, kept) }| {
        let refused = kept.get("role").zip(kept.get("model"));
        view! { <PageBody viewer page error refused provider tested /> }.into_any()
    })
}

#[component]
pub(super) fn PageBody(
    viewer: User,
    page: SettingsView,
    error: Option<String>,
    /// Role and model of a refused choice.
    #[prop(optional_no_strip)]
    refused: Option<(String, String)>,
    /// Provider that is chosen.
    #[prop(optional_no_strip)]
    provider: Option<String>,
    /// Model that was tested just now.
    #[prop(optional_no_strip)]
    tested: Option<String>,
) -> impl IntoView {
    let SettingsView { setup, spending, now } = page;
    let may_investigate = viewer.role.may(Action::Investigate);
    let (is_admin, people) = (setup.is_some(), setup.as_ref().map(|setup| setup.people.clone()));
    view! {
        <Title text="Settings" />
        <Frame viewer nav=NavItem::Settings>
            <h1>"Settings"</h1>
            <NoticeBanner code=error />
            {setup.map(|Setup { roles, features, choices, providers, models, circuits, .. }| {
                let tried: Vec<String> = models.iter().map(|line| line.name.clone()).collect();
                view! {
                    <p class="lead">
                        "Addresses of providers and all else are in the configuration file; restart after a change there."
                    </p>
                    <ConnectModel providers=providers.clone() models choices=choices.clone() now provider tested />
                    <ChosenModels roles features choices providers tried refused />
                    <Circuits circuits now />
                }
            })}
            {(!is_admin).then(|| view! {
                <p class="lead">"Models, keys and budgets are set up by an administrator."</p>
            })}
            <Budgets spending people />
            {may_investigate.then(|| view! { <p><a href="/tools">"Tool statistics"</a></p> })}
            {is_admin.then(|| view! { <p><a href="/work-orders/failed">"Failed work orders"</a></p> })}
        </Frame>
    }
    .into_any()
}
