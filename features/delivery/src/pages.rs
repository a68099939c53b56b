//! Pages of the feature.

pub mod feeds;
mod mail_facts;
pub mod order;
mod order_form;
pub mod preview;
pub mod server;
pub mod signed;
pub mod webhooks;
