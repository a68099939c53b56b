//! Input of a refused form, kept in the browser session until its page is shown again.

use super::KEPT;
use axum::http::request::Parts;
use domain::UserId;
use leptos::prelude::use_context;
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use tokio::sync::OnceCell;
use tower_sessions::Session;

/// Key of the refused form in the browser session.
const REFUSED_FORM: &str = "refused_form";

/// Longest input that is kept, in bytes: a session is read with every request. The longest values are cut to fit.
const MAX_KEPT_BYTES: usize = 64 * 1024;

/// The refused form that one request took from the session, for every part of its page. A cheap clone.
#[derive(Debug, Clone, Default)]
pub struct TakenForm(Arc<OnceCell<KeptForm>>);

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

    /// Keeps the form in a session. `false`: it is empty, or the session cannot be written.
    pub async fn keep(self, session: &Session) -> bool {
        let form = self.cut_to(MAX_KEPT_BYTES);
        !form.fields.is_empty() && session.insert(REFUSED_FORM, form).await.is_ok()
    }

    /// Cuts the longest values until the form fits.
    fn cut_to(mut self, max_bytes: usize) -> Self {
        loop {
            let bytes: usize = self.fields.iter().map(|(name, value)| name.len() + value.len()).sum();
            let excess = bytes.saturating_sub(max_bytes);
            if excess == 0 {
                return self;
            }
            match self.fields.iter_mut().map(|(_, value)| value).max_by_key(|value| value.len()) {
                Some(longest) if !longest.is_empty() => {
                    longest.truncate(longest.floor_char_boundary(longest.len().saturating_sub(excess)));
                }
                // The names alone are too long.
                _ => self.fields.clear(),
            }
        }
    }

    /// Takes the form of `user` that the address of the page says was refused just now; an empty one otherwise. All parts of a page get
    /// the same. For views: outside of one it is always empty.
    pub async fn take_of_page(user: UserId) -> Self {
        let Some(parts) = use_context::<Parts>() else { return Self::default() };
        let query = parts.uri.query().unwrap_or_default();
        if !query.split('&').any(|pair| pair.split('=').next() == Some(KEPT)) {
            return Self::default();
        }
        let taken = use_context::<TakenForm>().unwrap_or_default();
        let kept = taken.0.get_or_init(Self::remove_from_session).await;
        let is_here = kept.user == Some(user) && kept.page == parts.uri.path();
        if is_here { kept.clone() } else { Self::default() }
    }

    async fn remove_from_session() -> Self {
        let Ok(session) = leptos_axum::extract::<Session>().await else { return Self::default() };
        session.remove::<Self>(REFUSED_FORM).await.ok().flatten().unwrap_or_default()
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

#[cfg(test)]
mod tests {
    use super::*;

    fn form(fields: &[(&str, &str)]) -> KeptForm {
        let fields = fields.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
        KeptForm::new("/teams".to_owned(), "0192d3c4-0000-7000-8000-000000000001".parse().unwrap(), fields)
    }

    #[test]
    fn the_longest_values_are_cut_until_the_form_fits() {
        let fits = form(&[("a", "12"), ("b", "12")]);
        assert_eq!(fits.clone().cut_to(6), fits);
        assert_eq!(form(&[("a", "12"), ("b", "123456")]).cut_to(7), form(&[("a", "12"), ("b", "123")]));
        assert_eq!(form(&[("a", "ééé")]).cut_to(4), form(&[("a", "é")]), "a character is not cut");
        assert_eq!(form(&[("long name", "1")]).cut_to(4), form(&[]));
    }
}
