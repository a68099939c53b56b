//! The page for every unknown address.

use super::render_page;
use crate::prelude::*;

#[component]
pub fn NotFoundPage() -> impl IntoView {
    render_page(async { Err::<(), _>(AppError::not_found("page")) }, |()| ().into_any())
}
