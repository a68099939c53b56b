//! What a form post has to say when it sends somebody back: a code in the address, its sentence here.

/// Why a change was refused. `server` redirects to the page with `?error=CODE`.
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

    /// What happened and what to do.
    pub const fn message(self) -> &'static str {
        match self {
            Self::WrongPassword => "That user name and password do not belong together. Check both and try again.",
            Self::TooManyAttempts => "Too many attempts. Wait a minute, then try again.",
            Self::BadName => "A user name has 1 to 64 characters without spaces at its ends. Choose another.",
            Self::NameTaken => "That user name is taken. Choose another.",
            Self::PasswordShort => "That password is too short. Use at least 10 characters; several words are fine.",
            Self::PasswordsDiffer => "The two passwords are not the same. Type them again.",
            Self::AlreadySetUp => "The first account exists already. Sign in, or ask its owner for an account.",
            Self::LastAdmin => "Nobody would be left who administers. Make somebody else an administrator first.",
            Self::QuestionEmpty => "Write the question first.",
            Self::QuestionNoWords => "That question has no words. Ask something, such as: Who was behind the explosion?",
            Self::QuestionLong => "That question is too long. Put the background into a document and keep the question short.",
            Self::OverBudget => {
                "A budget leaves nothing for a question; it was not asked. Below stands which one, and what raises it."
            }
            Self::NoDocuments => {
                "There is nothing to read yet. Add at least one file or page, or have an administrator switch a source on; then start again."
            }
            Self::NothingReadable => {
                "None of those files and pages could be read. Below is why; choose others and start again."
            }
            Self::UploadLarge => "Those files are too large for one upload. Send fewer at a time, or pack them into a zip.",
            Self::NotAllowed => "Your role does not allow that. Ask an administrator.",
            Self::NotFound => "There is no such thing, or it is not open to you.",
            Self::ForeignOrigin => "That form came from another site and was not accepted. Send it again from here.",
            Self::DiskFull => "The disk of the server is full; nothing was stored. Ask your administrator to free some space.",
            Self::Unavailable => "The store does not answer just now. Nothing is lost; try again in a moment.",
            Self::SampleMissing => "The sample documents were not found beside the program. Ask your administrator.",
            Self::BadKey => "That is no key: it is empty, holds spaces, or is very long. Nothing was stored; paste it again.",
            Self::BadCap => "A cap is a number of 0 or more, or nothing at all. Nothing was changed; type it again.",
            Self::ProbeBusy => "That model is being tried out already. Wait until it is done.",
            Self::NoOpml => "That is no list of feeds. Export one as OPML from a feed reader and choose that file.",
            Self::TooManyFeeds => {
                "That would be more feeds than are followed here (`engine.web.max_feeds`); none was added. Import a shorter list, or have that number raised."
            }
            Self::Internal => "Something went wrong on our side. It was written to the log; try again.",
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
