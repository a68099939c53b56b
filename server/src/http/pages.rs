//! Pages of `app`, site files, and the not-found page.

use super::{WebState, security::ResponseNonce};
use crate::config::ServerConfig;
use app::{
    App,
    session::{CanPrint, MinPasswordChars, ServerFolders},
    shell,
};
use axum::{Router, http::request::Parts};
use leptos::{
    config::LeptosOptions,
    prelude::{provide_context, use_context},
};
use leptos_axum::{LeptosRoutes, file_and_error_handler_with_context, generate_route_list};

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

/// Adds pages, server functions and site files to the router.
pub(super) fn routes(router: Router<WebState>, web: &WebState) -> Router<WebState> {
    let (engine, settings) = (web.program.engine.clone(), web.program.settings.clone());
    let sessions = web.program.web_sessions.clone();
    let folders = ServerFolders(web.program.config.documents.roots.keys().cloned().collect());
    let can_print = CanPrint(web.program.available_printer().is_some());
    let min_password_chars = MinPasswordChars(web.program.passwords.config().min_chars);
    let options = web.leptos.clone();
    let live_options = options.clone();
    let context = move || {
        // For the scripts of live pages.
        provide_context(live_options.clone());
        provide_context(min_password_chars);
        provide_context(can_print);
        provide_context(engine.clone());
        provide_context(settings.clone());
        provide_context(sessions.clone());
        provide_context(folders.clone());
        // Nonce for the scripts of the page.
        if let Some(nonce) = use_context::<Parts>().and_then(|parts| parts.extensions.get::<ResponseNonce>().cloned()) {
            provide_context(nonce.0);
        }
    };
    router
        .leptos_routes_with_context(web, generate_route_list(App), context.clone(), move || shell(options.clone()))
        .fallback(file_and_error_handler_with_context::<WebState, _>(context, shell))
}
