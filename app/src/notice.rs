//! Messages of form posts: a code in the redirect address, its sentence here.

mod action;

pub use action::NoticeAction;
use strum::{EnumIter, EnumString, IntoStaticStr};

/// Reason for a refused form post. `server` redirects to the page with `?error=CODE`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, EnumIter, EnumString, IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
pub enum Notice {
    WrongPassword,
    TooManyAttempts,
    BadName,
    NameTaken,
    PasswordShort,
    PasswordLong,
    PasswordCommon,
    PasswordSame,
    PasswordsDiffer,
    WrongOldPassword,
    MustChangePassword,
    BadSetupCode,
    AlreadySetUp,
    LastAdmin,
    QuestionEmpty,
    QuestionNoWords,
    QuestionLong,
    OverBudget,
    TooManyOpen,
    TooManyCollections,
    TooManyTeamCollections,
    NoDocuments,
    NothingReadable,
    NothingInScope,
    BadAddress,
    BadPeriod,
    UploadLarge,
    TooManyFiles,
    UploadQuota,
    UploadSlow,
    UploadsBusy,
    NotAllowed,
    NotFound,
    NothingChosen,
    TooManyChosen,
    SplitOneSided,
    SplitMerged,
    SplitDivided,
    MergeDivided,
    BadRating,
    BadTag,
    BadNote,
    NoPrinter,
    NoSuchPerson,
    AlreadyInvited,
    QuotesNotAgreed,
    ReasonMissing,
    TeamNameBad,
    TeamNameTaken,
    TooManyRequests,
    TooManyAnnotations,
    ForeignOrigin,
    DiskFull,
    Unavailable,
    SampleMissing,
    SampleOncePerDay,
    BadKey,
    BadModel,
    BadCap,
    ProbeBusy,
    NotRequeued,
    TaskBegun,
    TaskEmpty,
    TaskLong,
    TaskKnown,
    PlanFull,
    PlanClosed,
    OffTheWeb,
    NoOpml,
    TooManyFeeds,
    BadForm,
    Internal,
}

impl Notice {
    /// The password must be typed again: its field is where to go on.
    pub const fn concerns_password(self) -> bool {
        matches!(
            self,
            Self::WrongPassword
                | Self::PasswordShort
                | Self::PasswordLong
                | Self::PasswordCommon
                | Self::PasswordSame
                | Self::PasswordsDiffer
        )
    }

    /// The value of `error` in the address.
    pub fn code(self) -> &'static str {
        self.into()
    }

    pub fn parse(code: &str) -> Option<Self> {
        code.parse().ok()
    }

    /// The message: the problem and the remedy.
    pub const fn message(self) -> &'static str {
        match self {
            Self::WrongPassword => "Incorrect user name or password.",
            Self::TooManyAttempts => "Too many attempts. Wait two minutes, then try again.",
            Self::BadName => "A user name has 1 to 64 visible characters without spaces at its ends. Choose another.",
            Self::NameTaken => "That user name is taken. Choose another.",
            Self::PasswordShort => "That password is too short. Use more characters; several words are fine.",
            Self::PasswordLong => "That password is too long. Use fewer characters.",
            Self::PasswordCommon => "That password is easy to guess. Use several words that do not belong together.",
            Self::PasswordSame => "That is the password you have. Choose another.",
            Self::WrongOldPassword => "Incorrect password. Try again.",
            Self::MustChangePassword => "Your password was set by an administrator. Choose your own to continue.",
            Self::BadSetupCode => "Incorrect set-up code. Open the address that the server printed when it started.",
            Self::PasswordsDiffer => "The passwords do not match. Type them again.",
            Self::AlreadySetUp => "The first account already exists. Sign in, or ask an administrator for an account.",
            Self::LastAdmin => "At least one administrator is required. Make somebody else an administrator first.",
            Self::QuestionEmpty => "Enter a question.",
            Self::QuestionNoWords => "That question has no words. Ask something, such as: Who was behind the explosion?",
            Self::QuestionLong => "That question is too long. Put the background into a document and keep the question short.",
            Self::OverBudget => {
                "Budget exhausted: the question was not started. See below which limit applies and how to raise it."
            }
            Self::TooManyCollections => {
                "You have as many collections as this server allows. Let the question read your whole library, or ask a follow-up."
            }
            Self::TooManyTeamCollections => {
                "This team reads as many collections as this server allows. Close one of them first."
            }
            Self::TooManyOpen => {
                "You have as many unfinished investigations as this server allows. Wait until one is done, or stop one."
            }
            Self::NoDocuments => "Nothing to read yet. Add at least one file or page, or let it search sources that are on.",
            Self::NothingReadable => "None of those files and pages could be read. See the reasons below and choose others.",
            Self::NothingInScope => {
                "No document is in that scope. Widen the collections or the period, add files or pages, or let it use the web."
            }
            Self::BadAddress => "Some web pages have no valid address. Mend the ones listed at the field; nothing was started.",
            Self::BadPeriod => "That period is none. Enter dates such as 2031-03-14, the first not after the last.",
            Self::UploadLarge => "Those files are too large for one upload. Send fewer at a time, or pack them into a zip.",
            Self::TooManyFiles => {
                "Too many files for one upload (`fetch.read.max_files`). Send fewer at a time, or pack them into a zip."
            }
            Self::UploadSlow => {
                "The files arrived too slowly, and the upload was stopped. Send fewer files at once, or use a faster connection."
            }
            Self::UploadQuota => {
                "You have reached today\u{2019}s limit of uploads (`server.uploads.day_bytes_per_person`). Try again tomorrow, or ask an administrator to raise it."
            }
            Self::UploadsBusy => "Other uploads are being read. Wait a minute, then send yours again.",
            Self::NotAllowed => "Your role does not allow that. Ask an administrator.",
            Self::NotFound => "Not found, or you don\u{2019}t have access.",
            Self::TooManyChosen => "Too many rows are selected. Select those of one page at most.",
            Self::NothingChosen => "Nothing is selected. Select at least one row, then try again.",
            Self::SplitOneSided => "Select some of the claims, and leave at least one.",
            Self::SplitMerged => "Others were merged into this entity. Undo these merges first.",
            Self::SplitDivided => "Others would see nothing of this entity any more. Leave at least one claim that they see.",
            Self::MergeDivided => {
                "Not merged: some people see only one of the two, others only the other, and a merge would change what they see."
            }
            Self::NoPrinter => {
                "This server cannot print now. Print the page from your browser and choose “Save as PDF”: it looks the same."
            }
            Self::ReasonMissing => "Give a reason of 1 to 1,000 characters, so that others can follow it.",
            Self::BadRating => "Enter a whole number from 0 to 100, or choose a level.",
            Self::BadTag => "A tag has 1 to 40 characters and no comma.",
            Self::BadNote => "A note has 1 to 4,000 characters.",
            Self::QuotesNotAgreed => {
                "A report quotes your documents. Tick the box to let others read these quotes, or keep the report to yourself."
            }
            Self::TeamNameBad => "A team has a name of 1 to 64 characters. Type another.",
            Self::TeamNameTaken => "Another team has that name. Type another.",
            Self::NoSuchPerson => "Nobody with that user name can sign in. Check the spelling.",
            Self::AlreadyInvited => "That person is a member already, or has an open invitation. Nothing was changed.",
            Self::TooManyRequests => "Too many of your requests are being answered. Wait until one is done, then try again.",
            Self::TooManyAnnotations => {
                "No more can be added here: remove notes, ratings or tags that are no longer needed, then try again."
            }
            Self::ForeignOrigin => "The form was sent from another site and was blocked. Send it again from here.",
            Self::DiskFull => {
                "The server\u{2019}s disk is full; nothing was stored. Ask your administrator to free some space."
            }
            Self::Unavailable => "The database is unavailable. Nothing is lost; try again in a moment.",
            Self::SampleMissing => "The sample documents are not installed. Ask your administrator.",
            Self::SampleOncePerDay => "You investigated the sample today. Try again tomorrow, or ask a question of your own.",
            Self::BadKey => "Not a valid key: it is empty, contains spaces, or is too long. Paste it again.",
            Self::BadModel => {
                "No such model. Enter \u{201c}extractive\u{201d}, or a provider listed below with its model, such as ollama:qwen3:8b."
            }
            Self::BadCap => "A cap is a number of 0 or more. Leave it empty for the default.",
            Self::ProbeBusy => "This model is already being tested. Wait until the test is done.",
            Self::NotRequeued => {
                "The work order cannot be queued again: it is no longer failed, or its investigation has ended. Ask the question again."
            }
            Self::TaskBegun => "That reading task has begun or is done, so it stays in the plan.",
            Self::TaskEmpty => "Say what to find or which page to read.",
            Self::TaskLong => "That task is too long (`engine.max_task_chars`), or names too many web pages. Shorten it.",
            Self::TaskKnown => "The plan has that reading task already. Word it differently, or leave it.",
            Self::PlanFull => "The plan has as many reading tasks as it may. Remove one that has not begun, then add yours.",
            Self::PlanClosed => "Nothing is being read now, so nothing can be added. Ask a follow-up question instead.",
            Self::OffTheWeb => {
                "This investigation stays off the web. Leave the web pages out, or ask a new question that may use it."
            }
            Self::NoOpml => "Not an OPML file. Export your feeds as OPML from a feed reader and choose that file.",
            Self::TooManyFeeds => {
                "Too many feeds: the limit is `engine.web.max_feeds`. None was added. Import a shorter list, or ask an administrator to raise the limit."
            }
            Self::BadForm => "That form could not be read. Open its page again and send it once more.",
            Self::Internal => "Something went wrong on our side. Try again.",
        }
    }
}

/// Returns the notice for a store error, and logs the cause.
pub fn store_notice(error: &engine::StoreError) -> Notice {
    tracing::error!(%error, "request failed");
    match error {
        engine::StoreError::Full => Notice::DiskFull,
        engine::StoreError::Unavailable(_) => Notice::Unavailable,
        _ => Notice::Internal,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_code_is_the_name_in_snake_case() {
        assert_eq!(Notice::AlreadySetUp.code(), "already_set_up");
        assert_eq!(Notice::parse("no_opml"), Some(Notice::NoOpml));
        assert_eq!(Notice::parse("<script>"), None);
    }
}
