//! Messages of form posts: a code in the redirect address, its sentence here.

/// Reason for a refused form post. `server` redirects to the page with `?error=CODE`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Notice {
    WrongPassword,
    TooManyAttempts,
    BadName,
    NameTaken,
    PasswordShort,
    PasswordsDiffer,
    AlreadySetUp,
    LastAdmin,
    QuestionEmpty,
    QuestionNoWords,
    QuestionLong,
    OverBudget,
    NoDocuments,
    NothingReadable,
    UploadLarge,
    NotAllowed,
    NotFound,
    ForeignOrigin,
    DiskFull,
    Unavailable,
    SampleMissing,
    BadKey,
    BadCap,
    ProbeBusy,
    NoOpml,
    TooManyFeeds,
    Internal,
}

impl Notice {
    pub const ALL: [Self; 27] = [
        Self::WrongPassword,
        Self::TooManyAttempts,
        Self::BadName,
        Self::NameTaken,
        Self::PasswordShort,
        Self::PasswordsDiffer,
        Self::AlreadySetUp,
        Self::LastAdmin,
        Self::QuestionEmpty,
        Self::QuestionNoWords,
        Self::QuestionLong,
        Self::OverBudget,
        Self::NoDocuments,
        Self::NothingReadable,
        Self::UploadLarge,
        Self::NotAllowed,
        Self::NotFound,
        Self::ForeignOrigin,
        Self::DiskFull,
        Self::Unavailable,
        Self::SampleMissing,
        Self::BadKey,
        Self::BadCap,
        Self::ProbeBusy,
        Self::NoOpml,
        Self::TooManyFeeds,
        Self::Internal,
    ];

    /// The password must be typed again: its field is where to go on.
    pub const fn concerns_password(self) -> bool {
        matches!(self, Self::WrongPassword | Self::PasswordShort | Self::PasswordsDiffer)
    }

    /// The value of `error` in the address.
    pub const fn code(self) -> &'static str {
        match self {
            Self::WrongPassword => "wrong_password",
            Self::TooManyAttempts => "too_many_attempts",
            Self::BadName => "bad_name",
            Self::NameTaken => "name_taken",
            Self::PasswordShort => "password_short",
            Self::PasswordsDiffer => "passwords_differ",
            Self::AlreadySetUp => "already_set_up",
            Self::LastAdmin => "last_admin",
            Self::QuestionEmpty => "question_empty",
            Self::QuestionNoWords => "question_no_words",
            Self::QuestionLong => "question_long",
            Self::OverBudget => "over_budget",
            Self::NoDocuments => "no_documents",
            Self::NothingReadable => "nothing_readable",
            Self::UploadLarge => "upload_large",
            Self::NotAllowed => "not_allowed",
            Self::NotFound => "not_found",
            Self::ForeignOrigin => "foreign_origin",
            Self::DiskFull => "disk_full",
            Self::Unavailable => "unavailable",
            Self::SampleMissing => "sample_missing",
            Self::BadKey => "bad_key",
            Self::BadCap => "bad_cap",
            Self::ProbeBusy => "probe_busy",
            Self::NoOpml => "no_opml",
            Self::TooManyFeeds => "too_many_feeds",
            Self::Internal => "internal",
        }
    }

    pub fn parse(code: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|notice| notice.code() == code)
    }

    /// The message: the problem and the remedy.
    pub const fn message(self) -> &'static str {
        match self {
            Self::WrongPassword => "Incorrect user name or password.",
            Self::TooManyAttempts => "Too many attempts. Wait a minute, then try again.",
            Self::BadName => "A user name has 1 to 64 characters without spaces at its ends. Choose another.",
            Self::NameTaken => "That user name is taken. Choose another.",
            Self::PasswordShort => "That password is too short. Use at least 10 characters; several words are fine.",
            Self::PasswordsDiffer => "The passwords do not match. Type them again.",
            Self::AlreadySetUp => "The first account already exists. Sign in, or ask an administrator for an account.",
            Self::LastAdmin => "At least one administrator is required. Make somebody else an administrator first.",
            Self::QuestionEmpty => "Enter a question.",
            Self::QuestionNoWords => "That question has no words. Ask something, such as: Who was behind the explosion?",
            Self::QuestionLong => "That question is too long. Put the background into a document and keep the question short.",
            Self::OverBudget => {
                "Budget exhausted: the question was not started. See below which limit applies and how to raise it."
            }
            Self::NoDocuments => {
                "Nothing to read yet. Add at least one file or page, or ask an administrator to turn on a source."
            }
            Self::NothingReadable => "None of those files and pages could be read. See the reasons below and choose others.",
            Self::UploadLarge => "Those files are too large for one upload. Send fewer at a time, or pack them into a zip.",
            Self::NotAllowed => "Your role does not allow that. Ask an administrator.",
            Self::NotFound => "Not found, or you don\u{2019}t have access.",
            Self::ForeignOrigin => "The form was sent from another site and was blocked. Send it again from here.",
            Self::DiskFull => {
                "The server\u{2019}s disk is full; nothing was stored. Ask your administrator to free some space."
            }
            Self::Unavailable => "The database is unavailable. Nothing is lost; try again in a moment.",
            Self::SampleMissing => "The sample documents are not installed. Ask your administrator.",
            Self::BadKey => "Not a valid key: it is empty, contains spaces, or is too long. Paste it again.",
            Self::BadCap => "A cap is a number of 0 or more. Leave it empty for the default.",
            Self::ProbeBusy => "This model is already being tested. Wait until the test is done.",
            Self::NoOpml => "Not an OPML file. Export your feeds as OPML from a feed reader and choose that file.",
            Self::TooManyFeeds => {
                "Too many feeds: the limit is `engine.web.max_feeds`. None was added. Import a shorter list, or ask an administrator to raise the limit."
            }
            Self::Internal => "Something went wrong on our side. Try again.",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_code_is_read_back_as_the_same_notice() {
        assert!(Notice::ALL.into_iter().all(|notice| Notice::parse(notice.code()) == Some(notice)));
        assert_eq!(Notice::parse("<script>"), None);
    }
}
