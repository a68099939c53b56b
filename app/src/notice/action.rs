//! Actions of a notice: each leads to the field or page where the problem is solved.

/// Link beside a notice.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NoticeAction {
    pub text: &'static str,
    /// A field of the same page (`#question`), the page without its notice (`?`), or another page that everybody may open.
    pub href: &'static str,
}

/// The page again, without the notice.
pub(super) const AGAIN: NoticeAction = go("Try again", "?");

/// Returns an action by its text and its address.
pub(super) const fn go(text: &'static str, href: &'static str) -> NoticeAction {
    NoticeAction { text, href }
}

impl NoticeAction {
    /// Returns the address for a page that has neither the field nor the form: home instead of a part of that page.
    pub fn elsewhere(self) -> Self {
        if self.href.starts_with('/') { self } else { Self { text: "Back to home", href: "/" } }
    }
}

#[cfg(test)]
mod tests {
    use super::{super::Notice, *};
    use strum::IntoEnumIterator;

    #[test]
    fn every_notice_has_a_message_and_a_remedy() {
        for notice in Notice::iter() {
            let NoticeAction { text, href } = notice.action();
            assert!(!notice.message().is_empty() && !text.is_empty(), "{notice:?}");
            let is_known = href == "?" || href.strip_prefix('#').or_else(|| href.strip_prefix('/')).is_some();
            assert!(is_known, "{notice:?}: {href}");
            assert_ne!(href, "#", "{notice:?}");
            assert!(notice.action().elsewhere().href.starts_with('/'), "{notice:?}");
        }
    }

    #[test]
    fn a_field_that_a_notice_leads_to_exists() {
        let sources = [
            include_str!("../atoms/field.rs"),
            include_str!("../parts/frame.rs"),
            include_str!("../parts/reader_notes.rs"),
            include_str!("../parts/rejected.rs"),
            include_str!("../parts/visibility.rs"),
            include_str!("../pages/account.rs"),
            include_str!("../pages/contest.rs"),
            include_str!("../pages/graph/split.rs"),
            include_str!("../pages/new_investigation.rs"),
            include_str!("../pages/new_investigation/scope.rs"),
            include_str!("../pages/people.rs"),
            include_str!("../pages/plan.rs"),
            include_str!("../pages/settings/connect.rs"),
            include_str!("../pages/sign_in.rs"),
            include_str!("../pages/sources/feeds.rs"),
            include_str!("../pages/teams.rs"),
        ];
        let has = |id: &str| {
            let texts = [format!("id=\"{id}\""), format!("TextField name=\"{id}\"")];
            sources.iter().any(|source| texts.iter().any(|text| source.contains(text)))
        };
        for notice in Notice::iter() {
            // The list of feeds has its id from a constant.
            let field = notice.action().href.strip_prefix('#').filter(|id| *id != views::sources::SourceNotice::FEED_LIST);
            assert!(field.is_none_or(has), "{notice:?}: {field:?}");
        }
    }
}
