//! The built-in provider: evidence briefs made of quotations, by rules, without a model.
pub mod actors;
pub mod answers;
pub mod brief;
pub mod corpus;
pub mod question;
pub mod select;
pub mod text;
pub mod words;
