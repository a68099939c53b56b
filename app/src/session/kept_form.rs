//! Input of a refused form, kept in the browser session until its page is shown again.

use super::KEPT;
use axum::http::request::Parts;
use domain::UserId;
use leptos::prelude::use_context;
use serde::{Deserialize, Serialize};
use tower_sessions::Session;

/// Key of the refused form in the browser session.
const REFUSED_FORM: &str = "refused_form";

/// Longest input that is kept, in bytes: a session is read with every request.
const MAX_KEPT_BYTES: usize = 64 * 1024;

/// Fields of a form that was refused, to be filled in again.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct KeptForm {
    /// Path of the page with the form.
    page: String,
    user: Option<UserId>,
    fields: Vec<(String, String)>,
}

impl KeptForm {
    /// `page` is the path of the page with the form.
    pub fn new(page: String, user: UserId, fields: Vec<(String, String)>) -> Self {
        Self { page, user: Some(user), fields }
    }

    /// Keeps the form in a session. `false`: it is empty, too long, or the session cannot be written.
    pub async fn keep(self, session: &Session) -> bool {
        let bytes: usize = self.fields.iter().map(|(name, value)| name.len() + value.len()).sum();
        (1..=MAX_KEPT_BYTES).contains(&bytes) && session.insert(REFUSED_FORM, self).await.is_ok()
    }

    /// Takes the form of `user` that the address of the page says was refused just now; an empty one otherwise. For views: outside of
    /// one it is always empty.
    pub async fn take_of_page(user: UserId) -> Self {
        let Some(parts) = use_context::<Parts>() else { return Self::default() };
        let query = parts.uri.query().unwrap_or_default();
        if !query.split('&').any(|pair| pair.split('=').next() == Some(KEPT)) {
            return Self::default();
        }
        let Ok(session) = leptos_axum::extract::<Session>().await else { return Self::default() };
        let kept = session.remove::<Self>(REFUSED_FORM).await.ok().flatten().unwrap_or_default();
        let is_here = kept.user == Some(user) && kept.page == parts.uri.path();
        if is_here { kept } else { Self::default() }
    }

    /// Returns the value that was typed into a field; empty without one.
    pub fn value(&self, name: &str) -> String {
        self.get(name).unwrap_or_default()
    }

    /// Returns the value that was typed into a field, if the form has it.
    pub fn get(&self, name: &str) -> Option<String> {
        self.fields.iter().find(|(field, _)| field == name).map(|(_, value)| value.clone())
    }
}
