//! Pages of `app`, site files, and the not-found page.

use super::{prelude::*, security::ResponseNonce};
use crate::{Program, config::ServerConfig, features};
use app::{
    App,
    session::{CanPrint, MinPasswordChars, ServerFolders},
    shell,
};
use axum::{Router, http::request::Parts};
use feature::{FeaturePorts, MessagePort, Web, WebMessage};
use leptos::{
    config::LeptosOptions,
    prelude::{provide_context, use_context},
};
use leptos_axum::{LeptosRoutes, file_and_error_handler_with_context, generate_route_list};
use std::sync::Arc;

/// Leptos options of the site.
pub(super) fn options(server: &ServerConfig) -> LeptosOptions {
    LeptosOptions::builder()
        .output_name("autosint")
        .site_root(server.site().to_string_lossy().into_owned())
        .site_pkg_dir("pkg")
        .site_addr(server.listen)
        .reload_port(server.reload_port.unwrap_or_default().into())
        .build()
}

/// Returns what provides the Leptos context of every page.
fn context(program: &Program) -> impl Fn() + Send + Sync + 'static {
    let (engine, settings) = (program.engine.clone(), program.settings.clone());
    let sessions = program.web_sessions.clone();
    let folders = ServerFolders(program.config.documents.roots.keys().cloned().collect());
    let can_print = CanPrint(program.available_printer().is_some());
    let min_password_chars = MinPasswordChars(program.passwords.config().min_chars);
    let live_options = options(&program.config.server);
    let contributions = features::contributions();
    move || {
        // For the scripts of live pages.
        provide_context(live_options.clone());
        provide_context(min_password_chars);
        provide_context(can_print);
        provide_context(engine.clone());
        provide_context(settings.clone());
        provide_context(sessions.clone());
        provide_context(folders.clone());
        provide_context(contributions.clone());
        // Nonce for the scripts of the page.
        if let Some(nonce) = use_context::<Parts>().and_then(|parts| parts.extensions.get::<ResponseNonce>().cloned()) {
            provide_context(nonce.0);
        }
    }
}

/// Returns the state of the handlers, pieces and jobs of features.
pub(crate) fn feature_state(program: &Program) -> Web {
    let leptos = options(&program.config.server);
    let (engine, store, settings) = (program.engine.clone(), program.store.clone(), program.feature_settings.clone());
    let ports = FeaturePorts {
        watched: features::watched_kinds().collect(),
        shareable: features::shareable_kinds().collect(),
        bundles: features::FEATURES.iter().find_map(|feature| feature.bundles),
        graph_views: features::FEATURES.iter().find_map(|feature| feature.graph_views),
        products: features::FEATURES.iter().flat_map(|feature| feature.products).copied().collect(),
        notifications: features::FEATURES.iter().filter_map(|feature| feature.notifications).collect(),
        interests: features::FEATURES.iter().find_map(|feature| feature.interests),
        messages: messages(program),
        limits: program.limits.clone(),
        notification_list: features::FEATURES.iter().find_map(|feature| feature.notification_list),
        secrets: program.keys.secrets(),
        memory: program.feature_memory.clone(),
    };
    Web::new(engine, store, settings, program.agents.clone(), ports, leptos, context(program))
}

/// Returns the port of messages to the web; none where the web is switched off.
fn messages(program: &Program) -> Option<MessagePort> {
    let client = program.messages.clone()?;
    let port: MessagePort = Arc::new(move |message: WebMessage| {
        let client = client.clone();
        Box::pin(async move { client.post(&message.url, &message.headers, message.json).await })
    });
    Some(port)
}

/// Adds pages, server functions and site files to the router.
pub(super) fn routes(router: Router<WebState>, web: &WebState) -> Router<WebState> {
    let (options, features) = (web.leptos.clone(), web.features.clone());
    let context = move || features.provide();
    router
        .leptos_routes_with_context(web, generate_route_list(App), context.clone(), move || shell(options.clone()))
        .fallback(file_and_error_handler_with_context::<WebState, _>(context, shell))
}
