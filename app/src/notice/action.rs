//! Actions of a notice: each leads to the field or page where the problem is solved.

use super::Notice;

/// Link beside a notice.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NoticeAction {
    pub text: &'static str,
    /// A field of the same page (`#question`), the page without its notice (`?`), or another page that everybody may open.
    pub href: &'static str,
}

/// The page again, without the notice.
const AGAIN: NoticeAction = NoticeAction { text: "Try again", href: "?" };

impl NoticeAction {
    /// Returns the address for a page that has neither the field nor the form: home instead of a part of that page.
    pub fn elsewhere(self) -> Self {
        if self.href.starts_with('/') { self } else { Self { text: "Back to home", href: "/" } }
    }
}

impl Notice {
    /// Returns the action that solves the problem.
    pub const fn action(self) -> NoticeAction {
        let (text, href) = match self {
            Self::WrongPassword => ("Type the password again", "#password"),
            Self::PasswordShort | Self::PasswordLong | Self::PasswordCommon | Self::PasswordSame | Self::PasswordsDiffer => {
                ("Choose a password", "#password")
            }
            Self::WrongOldPassword => ("Type the current password", "#old_password"),
            Self::MustChangePassword => ("Choose a password", "/account"),
            Self::BadName | Self::NameTaken => ("Choose a user name", "#username"),
            Self::BadSetupCode => ("Type the code", "#code"),
            Self::AlreadySetUp => ("Sign in", "/sign-in"),
            Self::LastAdmin => ("Choose another administrator", "#people-title"),
            Self::QuestionEmpty | Self::QuestionNoWords | Self::QuestionLong => ("Change the question", "#question"),
            Self::OverBudget => ("See the limits", "/settings"),
            Self::TooManyCollections => ("Choose what to read", "#reading"),
            Self::TooManyTeamCollections => ("See your documents", "/documents"),
            Self::TooManyOpen => ("See what is running", "/"),
            Self::NoDocuments => ("See the sources", "/sources"),
            Self::NothingReadable => ("See the reasons", "#rejected"),
            Self::NothingInScope => ("Change the scope", "#reading"),
            Self::BadAddress => ("Change the web pages", "#addresses"),
            Self::BadPeriod => ("Change the period", "#from"),
            Self::UploadLarge | Self::TooManyFiles | Self::UploadSlow => ("Choose fewer files", "?"),
            Self::UploadQuota => ("Use the library", "/documents"),
            Self::NotAllowed => ("See your account", "/account"),
            Self::NotFound => ("Search", "/search"),
            Self::NothingChosen | Self::TooManyChosen => ("Select rows", "#main"),
            Self::SplitOneSided | Self::SplitDivided => ("Select claims", "#claims"),
            Self::MergeDivided => ("See the pairs", "/reviews"),
            Self::SplitMerged => ("See past merges", "/reviews/merges"),
            Self::BadRating => ("Change the rating", "#value"),
            Self::ReasonMissing => ("Give a reason", "#reason"),
            Self::BadTag => ("Change the tag", "#tag"),
            Self::BadNote => ("Change the note", "#note"),
            Self::NoPrinter => ("Back to the report", "?"),
            Self::QuotesNotAgreed => ("Choose who can read it", "#visibility"),
            Self::TeamNameBad | Self::TeamNameTaken => ("Choose a name", "#name"),
            Self::NoSuchPerson => ("Type the name again", "#main"),
            Self::AlreadyInvited => ("See the team", "#main"),
            Self::ForeignOrigin => ("Open AutOSINT", "/"),
            Self::SampleMissing => ("Ask a question of your own", "/"),
            Self::SampleOncePerDay => ("See the assessments", "/assessments"),
            Self::BadKey | Self::BadCap => ("Type it again", "#main"),
            Self::BadModel => ("See the providers", "#providers-title"),
            Self::NotRequeued => ("Search for the question", "/search"),
            Self::TaskBegun => ("See the plan", "#tasks-title"),
            Self::TaskEmpty | Self::TaskLong | Self::TaskKnown => ("Change the task", "#objective"),
            Self::PlanFull => ("See the plan", "#tasks-title"),
            Self::PlanClosed => ("See the assessments", "/assessments"),
            Self::OffTheWeb => ("Change the task", "#addresses"),
            Self::NoOpml => ("Choose another file", "#opml"),
            Self::TooManyFeeds => ("See the feeds", "#feed-list"),
            Self::TooManyAttempts
            | Self::TooManyRequests
            | Self::TooManyAnnotations
            | Self::UploadsBusy
            | Self::DiskFull
            | Self::Unavailable
            | Self::ProbeBusy
            | Self::BadForm
            | Self::Internal => return AGAIN,
        };
        NoticeAction { text, href }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
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
            include_str!("../pages/settings/providers.rs"),
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
