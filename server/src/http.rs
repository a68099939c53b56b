//! Web server: routes and their middleware.

mod account;
mod annotations;
mod answer;
mod api;
mod audit;
mod auth;
mod client_address;
mod connections;
mod cookies;
mod device_label;
mod document_files;
mod error_pages;
mod events;
mod export;
mod graph_export;
mod health;
mod hosts;
mod investigations;
mod library;
mod openapi;
mod pages;
mod people;
mod person_slots;
mod plan;
mod preferences;
mod prelude;
mod print;
mod reader_notes;
mod request_slots;
mod reviews;
mod samples;
mod secure_transport;
mod security;
mod sessions;
mod settings;
mod sign_in;
mod sign_in_limits;
mod sources;
mod steps;
mod stream_slots;
mod teams;
mod tidy;
mod upload;
mod visibility;
mod work_orders;

pub use connections::serve_connections;
pub use health::serve_monitoring;
pub use hosts::{AllowedHosts, restrict_hosts};
pub(crate) use pages::feature_state;
pub(crate) use sessions::random_token;

use crate::{Program, features, sample};
use axum::{
    Router,
    extract::{DefaultBodyLimit, FromRef, Request},
    middleware,
    routing::{get, post},
};
use domain::{AssessmentId, DocumentId, InvestigationId};
use feature::Web;
use leptos::config::LeptosOptions;
use person_slots::PersonSlots;
use request_slots::RequestSlots;
use std::{io, sync::Arc, time::Duration};
use stream_slots::StreamSlots;
use tokio::{net::TcpListener, sync::Semaphore};
use tokio_util::sync::CancellationToken;
use tower_http::{catch_panic::CatchPanicLayer, compression::CompressionLayer, trace::TraceLayer};

/// State of all handlers. Cheap to clone.
#[derive(Clone, FromRef)]
struct WebState {
    program: Program,
    leptos: LeptosOptions,
    /// Cancelled at shutdown; ends live streams.
    shutdown: CancellationToken,
    streams: StreamSlots,
    /// Places for uploads of all people, and of each.
    uploads: Arc<Semaphore>,
    #[from_ref(skip)]
    uploads_of_person: PersonSlots,
    #[from_ref(skip)]
    prints_of_person: PersonSlots,
    requests: RequestSlots,
    /// State of the handlers of features.
    features: Web,
}

/// Serves until `shutdown`, then gives open requests `server.shutdown_ms` to finish.
pub async fn serve(program: &Program, listener: TcpListener, shutdown: CancellationToken) -> io::Result<()> {
    let hosts = AllowedHosts::new(&program.config.server, listener.local_addr()?);
    let router = restrict_hosts(router(program, shutdown.clone()), hosts);
    tokio::spawn(sessions::sweep(program.clone(), shutdown.clone()));
    tokio::spawn(sample::resume(program.clone(), shutdown.clone()));
    let shutdown_timeout = Duration::from_millis(program.config.server.shutdown_ms);
    let server = &program.config.server;
    let unlimited = server.unlimited_clients();
    let served = serve_connections(listener, router, &server.connections, &unlimited, shutdown.clone());
    let overdue = async {
        shutdown.cancelled().await;
        tokio::time::sleep(shutdown_timeout).await;
    };
    tokio::select! {
        () = served => {}
        () = overdue => {}
    }
    Ok(())
}

/// Router with all routes and layers.
pub fn router(program: &Program, shutdown: CancellationToken) -> Router {
    let server = &program.config.server;
    let web = WebState {
        program: program.clone(),
        leptos: pages::options(server),
        shutdown,
        streams: StreamSlots::default(),
        uploads: Arc::new(Semaphore::new(server.uploads.at_once)),
        uploads_of_person: PersonSlots::new(server.uploads.per_person),
        prints_of_person: PersonSlots::new(server.requests.prints_per_person),
        requests: RequestSlots::new(&server.requests),
        features: pages::feature_state(program),
    };
    let uploads = Router::new()
        .route("/investigations", get(investigations::list).post(investigations::start))
        .route("/documents/add", post(library::add))
        .layer(DefaultBodyLimit::max(server.uploads.max_bytes));
    let of_features: Router<WebState> = features::routes()
        .with_state(web.features.clone())
        .layer(middleware::from_fn_with_state(web.clone(), auth::confirm_posts));
    let forms = Router::new()
        .route("/sign-in", post(sign_in::sign_in))
        .route("/sign-out", post(sign_in::sign_out))
        .route("/first-account", post(sign_in::first_account))
        .route("/account/password", post(account::change_password))
        .route("/account/confirm", post(account::confirm))
        .route("/account/preferences", post(preferences::change))
        .route("/account/sample", post(preferences::switch_sample))
        .route("/account/setup", post(preferences::dismiss_setup))
        .route("/account/sessions/end", post(account::end_session))
        .route("/account/sign-out-everywhere", post(account::sign_out_everywhere))
        .route("/assessments/{id}/contest", post(annotations::contest))
        .route("/assessments/{id}/contest/withdraw", post(annotations::withdraw))
        .route("/assessments/{id}/exclude", post(annotations::exclude))
        .route("/assessments/{id}/include", post(annotations::include))
        .route("/assessments/{id}/tag", post(reader_notes::tag::<AssessmentId>))
        .route("/assessments/{id}/untag", post(reader_notes::untag::<AssessmentId>))
        .route("/assessments/{id}/notes", post(reader_notes::note::<AssessmentId>))
        .route("/assessments/{id}/notes/remove", post(reader_notes::remove_note::<AssessmentId>))
        .route("/assessments/{id}/notes/remove-all", post(reader_notes::remove_all::<AssessmentId>))
        .route("/documents/{id}/notes/remove-all", post(reader_notes::remove_all::<DocumentId>))
        .route("/documents/{id}/tag", post(reader_notes::tag::<DocumentId>))
        .route("/documents/{id}/untag", post(reader_notes::untag::<DocumentId>))
        .route("/documents/{id}/notes", post(reader_notes::note::<DocumentId>))
        .route("/documents/{id}/notes/remove", post(reader_notes::remove_note::<DocumentId>))
        .route("/investigations/draft", post(investigations::draft))
        .route("/investigations/follow-up", post(investigations::follow_up))
        .route("/investigations/archive", post(tidy::archive))
        .route("/investigations/unarchive", post(tidy::unarchive))
        .route("/investigations/delete", post(tidy::delete))
        .route("/documents/archive", post(tidy::archive_documents))
        .route("/documents/rejected/dismiss", post(library::dismiss_rejected))
        .route("/documents/unarchive", post(tidy::unarchive_documents))
        .route("/documents/delete", post(tidy::delete_documents))
        .route("/collections/{id}/team", post(teams::open_collection))
        .route("/investigations/{id}/stop", post(investigations::stop))
        .route("/investigations/{id}/resume", post(investigations::resume))
        .route("/investigations/{id}/plan/add", post(plan::add))
        .route("/investigations/{id}/plan/remove", post(plan::remove))
        .route("/investigations/{id}/plan/first", post(plan::first))
        .route("/investigations/{id}/visibility", post(visibility::change))
        .route("/teams", post(teams::create))
        .route("/teams/{id}/rename", post(teams::rename))
        .route("/teams/{id}/add", post(teams::add))
        .route("/teams/{id}/remove", post(teams::remove))
        .route("/teams/{id}/accept", post(teams::accept))
        .route("/teams/{id}/decline", post(teams::decline))
        .route("/teams/{id}/delete", post(teams::delete))
        .route("/settings/keys", post(settings::store_key))
        .route("/settings/keys/remove", post(settings::remove_key))
        .route("/settings/models", post(settings::choose_model))
        .route("/settings/probe", post(settings::probe))
        .route("/settings/list", post(settings::list_models))
        .route("/settings/caps", post(settings::set_cap))
        .route("/sources/switch", post(sources::switch))
        .route("/sources/keys", post(sources::store_key))
        .route("/sources/keys/remove", post(sources::remove_key))
        .route("/sources/test", post(sources::test))
        .route("/sources/feeds", post(sources::add_feed))
        .route("/sources/feeds/remove", post(sources::remove_feed))
        .route("/sources/opml", post(sources::import))
        .route("/people", post(people::add))
        .route("/people/{id}/role", post(people::change_role))
        .route("/people/{id}/password", post(people::reset_password))
        .route("/people/{id}/disable", post(people::disable))
        .route("/people/{id}/enable", post(people::enable))
        .route("/reviews/merge", post(reviews::merge))
        .route("/entities/{id}/split", post(reviews::split))
        .route("/reviews/merges/{id}/undo", post(reviews::undo))
        .route("/reviews/{id}/decide", post(reviews::decide))
        .route("/reviews/decide", post(reviews::decide_many))
        .route("/work-orders/{id}/requeue", post(work_orders::requeue))
        .route("/work-orders/{id}/discard", post(work_orders::discard))
        .route("/sample", post(samples::investigate))
        .route("/sample/remove", post(samples::remove))
        .merge(of_features)
        .layer(DefaultBodyLimit::max(server.request_max_bytes));
    let reads = Router::new()
        .route("/assessments/{id}/export.json", get(export::json))
        .route("/assessments/{id}/export.md", get(export::markdown))
        .route("/documents/{id}/text", get(document_files::text))
        .route("/documents/{id}/original", get(document_files::original))
        .route("/assessments/{id}/brief.pdf", get(print::brief))
        .route("/assessments/{id}/full.pdf", get(print::full))
        .route("/graph/picture.json", get(graph_export::picture))
        .route("/graph/export.json", get(graph_export::json))
        .route("/graph/export.csv", get(graph_export::csv))
        .route("/graph/export.graphml", get(graph_export::graphml))
        .route("/sessions/{id}/steps/{step}/{part}", get(steps::part))
        .route("/sources/feeds.opml", get(sources::export))
        .route("/api/v1/investigations", get(api::investigations))
        .route("/api/v1/investigations/{id}", get(api::investigation))
        .route("/api/v1/investigations/{id}/events", get(events::follow))
        .route("/api/v1/assessments/{id}", get(api::assessment))
        .route("/api/v1/documents/{id}", get(api::document))
        .route("/api/v1/search", get(api::search))
        .route("/api/v1/openapi.json", get(openapi::document))
        .route("/api/v1/{*rest}", get(api::unknown));
    let origins = Arc::new(security::TrustedOrigins::new(&server.trusted_origins));
    pages::routes(uploads.merge(forms).merge(reads).merge(health::routes(program)), &web)
        .layer(middleware::from_fn_with_state(web.clone(), client_address::note_client_address))
        .layer(middleware::from_fn_with_state(web.clone(), request_slots::limit))
        .layer(middleware::from_fn_with_state(web.clone(), sessions::extend))
        .layer(sessions::layer(program))
        .layer(middleware::from_fn_with_state(origins, security::refuse_foreign_origins))
        .layer(middleware::from_fn(error_pages::add_way_on))
        .layer(middleware::from_fn_with_state(program.config.server.reload_port, security::add_headers))
        .layer(middleware::from_fn_with_state(program.clone(), secure_transport::secure_transport))
        .layer(CompressionLayer::new())
        .layer(CatchPanicLayer::custom(answer::panic_response))
        .layer(TraceLayer::new_for_http().make_span_with(request_span))
        .layer(middleware::from_fn(health::count_requests))
        .with_state(web)
}

/// Path below which addresses hold a secret, which no log repeats.
const SECRET_PATHS: &str = "/s/";

/// Span of a request, continuing a remote trace if there is one. Level error, so that log lines of every level carry it.
pub(crate) fn request_span(request: &Request) -> tracing::Span {
    let traceparent = request.headers().get("traceparent").and_then(|value| value.to_str().ok());
    let path = logged_path(request);
    let investigation_id = investigation_in(path).map(tracing::field::display);
    tracing::error_span!("request", method = %request.method(), path, investigation_id, traceparent)
}

/// Returns the path of a request as logs show it.
fn logged_path(request: &Request) -> &str {
    let path = request.uri().path();
    if path.starts_with(SECRET_PATHS) { SECRET_PATHS } else { path }
}

/// Returns the investigation id in a path.
fn investigation_in(path: &str) -> Option<InvestigationId> {
    let (_, rest) = path.split_once("/investigations/")?;
    rest.split('/').next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::{body::Body, http};

    #[test]
    fn logs_repeat_no_secret_of_an_address() {
        let logged = |path: &str| logged_path(&http::Request::get(path).body(Body::empty()).unwrap()).to_owned();
        assert_eq!(logged("/s/token/picture.png"), "/s/");
        assert_eq!(logged("/shares?link=token"), "/shares");
    }
}
