//! The document around every page, and the address of each.

use crate::pages::{
    AccountPage, AnalysisPage, AssessmentPage, AssessmentsPage, AuditLogPage, ClaimPage, ClarifyPage, ComparePage, ConfirmPage,
    ContestPage, DashboardPage, DeleteDocumentsPage, DeletePage, DocumentPage, DocumentsPage, EntitiesPage, EntityClaimsPage,
    EntityPage, EvidencePage, ExplorerPage, FailedOrdersPage, FirstAccountPage, HistoryPage, InvestigationPage, KeptApartPage,
    MergePage, MergesPage, NewInvestigationPage, NotFoundPage, PeoplePage, PlanPage, RelationshipPage, ReviewsPage, SearchPage,
    SessionPage, SessionsPage, SettingsPage, SignInPage, SourcesPage, SplitPage, TeamsPage, ToolsPage, WorkPage,
};
use leptos::{nonce::use_nonce, prelude::*};
use leptos_meta::{MetaTags, Title, provide_meta_context};
use leptos_router::{
    SsrMode,
    components::{Route, Router, Routes},
    path,
};

/// Applies the chosen colours before the first paint; without a choice, or without JavaScript, the system's are used.
const THEME_SCRIPT: &str = r#"try{let t=localStorage.getItem("theme");if(t)document.documentElement.dataset.theme=t}catch{}"#;

/// Font of the navigation: known before the style sheet is read, so that the bar does not jump.
const FIRST_FONT: &str = "/fonts/ibm-plex-sans-basic-wdth-normal.woff2";

/// The HTML document of the pages of `App`.
pub fn shell(options: LeptosOptions) -> impl IntoView {
    document(options, || view! { <App /> }.into_any())
}

/// The HTML document around the body of a page.
pub fn document(options: LeptosOptions, body: impl FnOnce() -> AnyView) -> impl IntoView {
    // Only islands are drawn again in the browser.
    if let Some(context) = Owner::current_shared_context() {
        context.set_is_hydrating(false);
    }
    let styles = format!("/{}/{}.css", options.site_pkg_dir, options.output_name);
    view! {
        <!DOCTYPE html>
        <html lang="en">
            <head>
                <meta charset="utf-8" />
                <meta name="viewport" content="width=device-width, initial-scale=1" />
                <meta name="color-scheme" content="light dark" />
                <meta name="robots" content="noindex" />
                <link rel="icon" href="/favicon.svg" type="image/svg+xml" />
                <script nonce=use_nonce()>{THEME_SCRIPT}</script>
                <link rel="preload" href=FIRST_FONT r#as="font" type="font/woff2" crossorigin="anonymous" />
                <link rel="stylesheet" href=styles />
                <AutoReload options />
                <script type="module" src="/frame.js"></script>
                <MetaTags />
            </head>
            <body>{body()}</body>
        </html>
    }
}

/// Titles of pages, with the name of the product.
#[component]
pub fn Titles() -> impl IntoView {
    provide_meta_context();
    view! { <Title formatter=|text: String| if text.is_empty() { "AutOSINT".to_owned() } else { format!("{text} · AutOSINT") } /> }
}

/// Every page at its address. All are sent whole, so that status, redirects and reading without JavaScript work.
#[component]
pub fn App() -> impl IntoView {
    view! {
        <Titles />
        <Router>
            <Routes fallback=|| view! { <NotFoundPage /> }>
                <Route path=path!("/") view=DashboardPage ssr=SsrMode::Async />
                <Route path=path!("/sign-in") view=SignInPage ssr=SsrMode::Async />
                <Route path=path!("/first-account") view=FirstAccountPage ssr=SsrMode::Async />
                <Route path=path!("/investigations/new") view=NewInvestigationPage ssr=SsrMode::Async />
                <Route path=path!("/investigations/clarify") view=ClarifyPage ssr=SsrMode::Async />
                <Route path=path!("/investigations/delete") view=DeletePage ssr=SsrMode::Async />
                <Route path=path!("/investigations/:id") view=InvestigationPage ssr=SsrMode::Async />
                <Route path=path!("/investigations/:id/plan") view=PlanPage ssr=SsrMode::Async />
                <Route path=path!("/investigations/:id/sessions") view=SessionsPage ssr=SsrMode::Async />
                <Route path=path!("/sessions/:id") view=SessionPage ssr=SsrMode::Async />
                <Route path=path!("/assessments") view=AssessmentsPage ssr=SsrMode::Async />
                <Route path=path!("/search") view=SearchPage ssr=SsrMode::Async />
                <Route path=path!("/assessments/:id") view=AssessmentPage ssr=SsrMode::Async />
                <Route path=path!("/assessments/:id/compare") view=ComparePage ssr=SsrMode::Async />
                <Route path=path!("/assessments/:id/history") view=HistoryPage ssr=SsrMode::Async />
                <Route path=path!("/assessments/:id/analysis") view=AnalysisPage ssr=SsrMode::Async />
                <Route path=path!("/assessments/:id/evidence") view=EvidencePage ssr=SsrMode::Async />
                <Route path=path!("/assessments/:id/work") view=WorkPage ssr=SsrMode::Async />
                <Route path=path!("/assessments/:id/contest") view=ContestPage ssr=SsrMode::Async />
                <Route path=path!("/documents") view=DocumentsPage ssr=SsrMode::Async />
                <Route path=path!("/documents/delete") view=DeleteDocumentsPage ssr=SsrMode::Async />
                <Route path=path!("/documents/:id") view=DocumentPage ssr=SsrMode::Async />
                <Route path=path!("/entities") view=EntitiesPage ssr=SsrMode::Async />
                <Route path=path!("/entities/:id") view=EntityPage ssr=SsrMode::Async />
                <Route path=path!("/entities/:id/claims") view=EntityClaimsPage ssr=SsrMode::Async />
                <Route path=path!("/entities/:id/split") view=SplitPage ssr=SsrMode::Async />
                <Route path=path!("/claims/:id") view=ClaimPage ssr=SsrMode::Async />
                <Route path=path!("/relationships/:id") view=RelationshipPage ssr=SsrMode::Async />
                <Route path=path!("/reviews") view=ReviewsPage ssr=SsrMode::Async />
                <Route path=path!("/reviews/apart") view=KeptApartPage ssr=SsrMode::Async />
                <Route path=path!("/reviews/merges") view=MergesPage ssr=SsrMode::Async />
                <Route path=path!("/reviews/merge") view=MergePage ssr=SsrMode::Async />
                <Route path=path!("/graph") view=ExplorerPage ssr=SsrMode::Async />
                <Route path=path!("/settings") view=SettingsPage ssr=SsrMode::Async />
                <Route path=path!("/tools") view=ToolsPage ssr=SsrMode::Async />
                <Route path=path!("/work-orders/failed") view=FailedOrdersPage ssr=SsrMode::Async />
                <Route path=path!("/sources") view=SourcesPage ssr=SsrMode::Async />
                <Route path=path!("/people") view=PeoplePage ssr=SsrMode::Async />
                <Route path=path!("/people/log") view=AuditLogPage ssr=SsrMode::Async />
                <Route path=path!("/teams") view=TeamsPage ssr=SsrMode::Async />
                <Route path=path!("/account") view=AccountPage ssr=SsrMode::Async />
                <Route path=path!("/account/confirm") view=ConfirmPage ssr=SsrMode::Async />
                <Route path=path!("/not-found") view=NotFoundPage ssr=SsrMode::Async />
            </Routes>
        </Router>
    }
}
