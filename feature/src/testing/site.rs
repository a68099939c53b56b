//! Site of one feature on a backend of `testkit`, without the server and its middleware.

#![allow(clippy::unwrap_used, reason = "a test ends where something is missing")]

use crate::{
    ClientAddress, Feature, FeaturePorts, FeatureSettings, PageCache, ToolParts, Web, added_roles, config_files, contributions,
    shareable::KERNEL_KINDS,
};
use adapters::sql::{MasterKey, SealedSecrets};
use any_spawner::Executor;
use app::session::USER_KEY;
use async_trait::async_trait;
use axum::{
    Extension, Router,
    body::{Body, to_bytes},
    http::{HeaderMap, Request, header},
};
use domain::UserId;
use engine::agents::Agents;
use leptos::{config::LeptosOptions, prelude::provide_context};
use serde_json::Value;
use std::{
    collections::BTreeMap,
    net::{IpAddr, Ipv4Addr},
    sync::Arc,
};
use testkit::TestBackend;
use tokio::net::TcpListener;
use tower_service::Service;
use tower_sessions::{
    Session, SessionStore,
    session::{Id, Record},
    session_store::{Error, Result},
};

/// Site with the routes of one feature.
pub struct TestSite {
    /// State of its handlers, for calls of jobs and use cases.
    pub web: Web,
    router: Router,
}

impl TestSite {
    /// The routes of a feature on a backend with SQLite, with the default settings.
    pub fn new(feature: Feature, backend: &TestBackend) -> Self {
        Self::with_settings(feature, backend, Value::Null)
    }

    /// The routes of a feature on a backend with SQLite, with a section of settings.
    pub fn with_settings(feature: Feature, backend: &TestBackend, section: Value) -> Self {
        // An error says that another site of the process did it.
        _ = Executor::init_tokio();
        let settings = FeatureSettings::read(&[feature], &BTreeMap::from([(feature.name.to_owned(), section)])).unwrap();
        let options = LeptosOptions::builder().output_name("autosint").build();
        let added = contributions(&[feature]);
        let engine = backend.engine();
        let (engine_of_page, options_of_page) = (engine.clone(), options.clone());
        let context = move || {
            provide_context(engine_of_page.clone());
            provide_context(options_of_page.clone());
            provide_context(added.clone());
        };
        let parts = ToolParts { store: backend.store.clone(), settings: settings.clone() };
        let mut files = testkit::config_files();
        config_files(&[feature]).for_each(|(path, text)| files.set(path, text));
        let agents = Arc::new(Agents::load_with(&files, "none", &added_roles(&[feature], &parts)).unwrap());
        let ports = FeaturePorts {
            watched: feature.watched.into(),
            shareable: [KERNEL_KINDS, feature.shareable].concat().into(),
            bundles: feature.bundles,
            graph_views: feature.graph_views,
            products: feature.products.into(),
            notifications: feature.notifications.into_iter().collect(),
            interests: feature.interests,
            messages: None,
            limits: backend.limits.clone(),
            notification_list: feature.notification_list,
            secrets: Arc::new(SealedSecrets::new(parts.store.clone(), MasterKey::from_hex(&"5a".repeat(32)).unwrap())),
            memory: PageCache::default(),
        };
        let web = Web::new(engine, parts.store, settings, agents, ports, options, context);
        Self { router: (feature.routes)().with_state(web.clone()), web }
    }

    /// Serves the routes of strangers on a free port of this machine until the runtime ends, and returns the port.
    pub async fn serve(&self) -> u16 {
        let router = self.router.clone().layer(Extension(ClientAddress(IpAddr::V4(Ipv4Addr::LOCALHOST))));
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.unwrap();
        let port = listener.local_addr().unwrap().port();
        tokio::spawn(async move { axum::serve(listener, router).await });
        port
    }

    /// Returns a browser without a session.
    pub fn stranger(&self) -> TestBrowser {
        self.browser(None)
    }

    /// Returns a browser whose session cannot be read.
    pub fn unreadable(&self) -> TestBrowser {
        self.browser(Some(Id::default()))
    }

    fn browser(&self, session: Option<Id>) -> TestBrowser {
        TestBrowser { router: self.router.clone(), session: Session::new(session, Arc::new(ForgetfulStore), None) }
    }

    /// Returns a browser in which a person is signed in.
    pub async fn signed_in(&self, user: UserId) -> TestBrowser {
        let browser = self.stranger();
        browser.session.insert(USER_KEY, user).await.unwrap();
        browser
    }
}

/// Browser with one session. It follows no redirect.
pub struct TestBrowser {
    router: Router,
    session: Session,
}

impl TestBrowser {
    pub async fn get(&self, path: &str) -> TestAnswer {
        self.send(Request::get(path).body(Body::empty()).unwrap()).await
    }

    /// Posts a form.
    pub async fn post(&self, path: &str, fields: &[(&str, &str)]) -> TestAnswer {
        let form = form_urlencoded::Serializer::new(String::new()).extend_pairs(fields).finish();
        let request = Request::post(path).header(header::CONTENT_TYPE, "application/x-www-form-urlencoded");
        self.send(request.body(Body::from(form)).unwrap()).await
    }

    async fn send(&self, mut request: Request<Body>) -> TestAnswer {
        request.extensions_mut().insert(self.session.clone());
        request.extensions_mut().insert(ClientAddress(IpAddr::V4(Ipv4Addr::LOCALHOST)));
        let response = self.router.clone().call(request).await.unwrap();
        let location = response.headers().get(header::LOCATION).map(|value| value.to_str().unwrap().to_owned());
        let (status, headers) = (response.status().as_u16(), response.headers().clone());
        let bytes = to_bytes(response.into_body(), usize::MAX).await.unwrap();
        TestAnswer { status, headers, location, body: String::from_utf8_lossy(&bytes).into_owned() }
    }
}

/// Answer of a site.
pub struct TestAnswer {
    pub status: u16,
    pub headers: HeaderMap,
    location: Option<String>,
    body: String,
}

impl TestAnswer {
    /// Returns the target of a redirect; fails for other answers.
    pub fn location(&self) -> &str {
        assert_eq!(self.status, 303, "no redirect: {}", self.body);
        self.location.as_deref().unwrap()
    }

    /// Returns the page without the marks that Leptos puts between nodes.
    pub fn text(&self) -> String {
        self.body.replace("<!>", "").replace("<!--<() />-->", "")
    }

    /// Returns the size of the answer as it is sent, without compression.
    pub fn bytes(&self) -> usize {
        self.body.len()
    }

    pub fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_else(|error| panic!("{error}: {}", self.body))
    }
}

/// Store that keeps nothing: a session lives in its browser alone, and one that has to be loaded is unreadable.
#[derive(Debug)]
struct ForgetfulStore;

#[async_trait]
impl SessionStore for ForgetfulStore {
    async fn save(&self, _: &Record) -> Result<()> {
        Ok(())
    }

    async fn load(&self, _: &Id) -> Result<Option<Record>> {
        Err(Error::Backend("the store keeps nothing".to_owned()))
    }

    async fn delete(&self, _: &Id) -> Result<()> {
        Ok(())
    }
}
