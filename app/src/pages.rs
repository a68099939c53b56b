//! One module per page: what it loads and its view.

mod account;
mod assessment;
mod assessments;
mod audit_log;
mod clarify;
mod compare;
mod contest;
mod dashboard;
mod delete;
mod document;
mod documents;
mod failed_orders;
#[cfg(test)]
mod fixtures;
mod graph;
mod history;
mod investigation;
mod new_investigation;
mod not_found;
mod people;
mod plan;
mod search;
mod session;
mod sessions;
mod settings;
mod sign_in;
mod sources;
mod teams;
#[cfg(test)]
mod tests;
mod tools;

pub use account::{AccountPage, ConfirmPage};
pub use assessment::{AnalysisPage, AssessmentPage, EvidencePage, WorkPage};
pub use assessment::{PrintForm, printed_body};
pub use assessments::AssessmentsPage;
pub use audit_log::AuditLogPage;
pub use clarify::ClarifyPage;
pub use compare::ComparePage;
pub use contest::ContestPage;
pub use dashboard::DashboardPage;
pub use delete::{DeleteDocumentsPage, DeletePage};
pub use document::DocumentPage;
pub use documents::DocumentsPage;
pub use failed_orders::FailedOrdersPage;
pub use graph::{
    AddedNodes, AddedNodesFuture, ClaimPage, EntitiesPage, EntityClaimsPage, EntityPage, ExplorerPage, KeptApartPage,
    MergePage, MergesPage, RelationshipPage, ReviewsPage, SplitPage, lay_over,
};
pub use history::{HistoryPage, WATCHED_QUESTION};
pub use investigation::InvestigationPage;
pub use new_investigation::NewInvestigationPage;
pub use not_found::NotFoundPage;
pub use people::PeoplePage;
pub use plan::PlanPage;
pub use search::{AddedSource, SearchPage, SourceHits, added_groups};
pub use session::{SessionPage, load_session};
pub use sessions::{SessionsPage, load_sessions};
pub use settings::SettingsPage;
pub use sign_in::{FirstAccountPage, SignInPage};
pub use sources::SourcesPage;
pub use teams::TeamsPage;
pub use tools::ToolsPage;

use crate::{
    parts::{Problem, TypedRemark},
    prelude::*,
};
use domain::investigation::Period;
use leptos_router::hooks::{use_params_map, use_query_map};

/// Data of a page with its viewer.
#[derive(Debug, Clone)]
pub struct Visit<T> {
    pub viewer: User,
    pub page: T,
}

async fn load_visitor() -> Result<Option<User>, AppError> {
    crate::session::visitor(&crate::session::engine()?).await
}

/// Loads the data of a page and renders it, or the error.
fn render_page<T: Send + 'static>(
    load: impl Future<Output = Result<T, AppError>> + Send + 'static,
    draw: impl FnOnce(T) -> AnyView + Send + 'static,
) -> impl IntoView {
    Suspend::new(async move {
        match load.await {
            Ok(page) => draw(page),
            Err(error) => {
                // A signed-in user keeps the navigation.
                let viewer = load_visitor().await.ok().flatten();
                view! { <Problem error viewer /> }.into_any()
            }
        }
    })
}

/// A value of the address's query.
fn query(key: &str) -> Option<String> {
    use_query_map().with_untracked(|query| query.get(key)).filter(|value| !value.is_empty())
}

/// All values of a key of the address's query.
fn query_values(key: &str) -> Vec<String> {
    let values = use_query_map().with_untracked(|query| query.get_all(key));
    values.unwrap_or_default().into_iter().filter(|value| !value.is_empty()).collect()
}

/// The period of the address's query; a bound that is no date is open.
fn period() -> Period {
    let date = |key| query(key).and_then(|text| PartialDate::parse(text.trim()));
    Period { from: date("from"), until: date("until") }
}

/// A number of the address's query; 1 where there is none.
fn number(key: &str) -> u64 {
    query(key).and_then(|number| number.parse().ok()).unwrap_or(1)
}

/// The values of a form of tags and notes that was refused just now.
async fn typed_remark(viewer: UserId) -> TypedRemark {
    let kept = KeptForm::take_of_page(viewer).await;
    TypedRemark { tag: kept.value("tag"), note: kept.value("note") }
}

/// The id in the address.
fn id_in_path() -> String {
    use_params_map().with_untracked(|params| params.get("id")).unwrap_or_default()
}
