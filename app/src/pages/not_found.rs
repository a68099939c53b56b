//! The page for every address that is none.

use crate::{AppError, parts::Problem};
use leptos::prelude::*;

#[component]
pub fn NotFoundPage() -> impl IntoView {
    view! { <Problem error=AppError::not_found("page") /> }
}
