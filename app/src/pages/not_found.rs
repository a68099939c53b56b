//! The page for every address that is none.

use super::shown;
use crate::AppError;
use leptos::prelude::*;

#[component]
pub fn NotFoundPage() -> impl IntoView {
    shown(async { Err::<(), _>(AppError::not_found("page")) }, |()| ().into_any())
}
