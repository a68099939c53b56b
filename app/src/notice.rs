//! Messages of form posts: a code in the redirect address, its sentence here.

mod action;

pub use action::NoticeAction;
use action::{AGAIN, go};
use strum::{EnumIter, EnumString, IntoStaticStr};

/// Declares each notice with its message, which names the problem and the remedy, and with the action that solves the problem.
macro_rules! notices {
    ($($name:ident: $message:literal => $action:expr,)+) => {
        /// Reason for a refused form post. `server` redirects to the page with `?error=CODE`.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, EnumIter, EnumString, IntoStaticStr)]
        #[strum(serialize_all = "snake_case")]
        pub enum Notice {
            $($name,)+
        }

        impl Notice {
            pub const fn message(self) -> &'static str {
                match self {
                    $(Self::$name => $message,)+
                }
            }

            pub const fn action(self) -> NoticeAction {
                match self {
                    $(Self::$name => $action,)+
                }
            }
        }
    };
}

notices! {
    WrongPassword: "Incorrect user name or password." => go("Type the password again", "#password"),
    TooManyAttempts: "Too many attempts. Wait two minutes, then try again." => AGAIN,
    BadName: "A user name has 1 to 64 visible characters without spaces at its ends. Choose another."
        => go("Choose a user name", "#username"),
    NameTaken: "That user name is taken. Choose another." => go("Choose a user name", "#username"),
    PasswordShort: "That password is too short. Use more characters; several words are fine."
        => go("Choose a password", "#password"),
    PasswordLong: "That password is too long. Use fewer characters." => go("Choose a password", "#password"),
    PasswordCommon: "That password is easy to guess. Use several words that do not belong together."
        => go("Choose a password", "#password"),
    PasswordSame: "That is the password you have. Choose another." => go("Choose a password", "#password"),
    PasswordsDiffer: "The passwords do not match. Type them again." => go("Choose a password", "#password"),
    WrongOldPassword: "Incorrect password. Try again." => go("Type the current password", "#old_password"),
    MustChangePassword: "Your password was set by an administrator. Choose your own to continue."
        => go("Choose a password", "/account"),
    BadSetupCode: "Incorrect set-up code. Open the address that the server printed when it started."
        => go("Type the code", "#code"),
    AlreadySetUp: "The first account already exists. Sign in, or ask an administrator for an account."
        => go("Sign in", "/sign-in"),
    LastAdmin: "At least one administrator is required. Make somebody else an administrator first."
        => go("Choose another administrator", "#people-title"),
    QuestionEmpty: "Enter a question." => go("Change the question", "#question"),
    QuestionNoWords: "That question has no words. Ask something, such as: Who was behind the explosion?"
        => go("Change the question", "#question"),
    QuestionLong: "That question is too long. Put the background into a document and keep the question short."
        => go("Change the question", "#question"),
    OverBudget: "Budget exhausted: the question was not started. See below which limit applies and how to raise it."
        => go("See the limits", "/settings"),
    TooManyOpen: "You have as many unfinished investigations as this server allows. Wait until one is done, or stop one."
        => go("See what is running", "/"),
    TooManyCollections: "You have as many collections as this server allows. Let the question read your whole library, or ask a follow-up."
        => go("Choose what to read", "#reading"),
    TooManyTeamCollections: "This team reads as many collections as this server allows. Close one of them first."
        => go("See your documents", "/documents"),
    NoDocuments: "Nothing to read yet. Add at least one file or page, or let it search sources that are on."
        => go("See the sources", "/sources"),
    NothingReadable: "None of those files and pages could be read. See the reasons below and choose others."
        => go("See the reasons", "#rejected"),
    NothingInScope: "No document is in that scope. Widen the collections or the period, add files or pages, or let it use the web."
        => go("Change the scope", "#reading"),
    BadAddress: "Some web pages have no valid address. Mend the ones listed at the field; nothing was started."
        => go("Change the web pages", "#addresses"),
    BadPeriod: "That period is none. Enter dates such as 2031-03-14, the first not after the last."
        => go("Change the period", "#from"),
    UploadLarge: "Those files are too large for one upload. Send fewer at a time, or pack them into a zip."
        => go("Choose fewer files", "?"),
    TooManyFiles: "Too many files for one upload (`fetch.read.max_files`). Send fewer at a time, or pack them into a zip."
        => go("Choose fewer files", "?"),
    UploadQuota: "You have reached today\u{2019}s limit of uploads (`server.uploads.day_bytes_per_person`). Try again tomorrow, or ask an administrator to raise it."
        => go("Use the library", "/documents"),
    UploadSlow: "The files arrived too slowly, and the upload was stopped. Send fewer files at once, or use a faster connection."
        => go("Choose fewer files", "?"),
    UploadsBusy: "Other uploads are being read. Wait a minute, then send yours again." => AGAIN,
    NotAllowed: "Your role does not allow that. Ask an administrator." => go("See your account", "/account"),
    NotFound: "Not found, or you don\u{2019}t have access." => go("Search", "/search"),
    NothingChosen: "Nothing is selected. Select at least one row, then try again." => go("Select rows", "#main"),
    TooManyChosen: "Too many rows are selected. Select those of one page at most." => go("Select rows", "#main"),
    SplitOneSided: "Select some of the claims, and leave at least one." => go("Select claims", "#claims"),
    SplitMerged: "Others were merged into this entity. Undo these merges first." => go("See past merges", "/reviews/merges"),
    SplitDivided: "Others would see nothing of this entity any more. Leave at least one claim that they see."
        => go("Select claims", "#claims"),
    MergeDivided: "Not merged: some people see only one of the two, others only the other, and a merge would change what they see."
        => go("See the pairs", "/reviews"),
    BadRating: "Enter a whole number from 0 to 100, or choose a level." => go("Change the rating", "#value"),
    BadTag: "A tag has 1 to 40 characters and no comma." => go("Change the tag", "#tag"),
    BadNote: "A note has 1 to 4,000 characters." => go("Change the note", "#note"),
    NoPrinter: "This server cannot print now. Print the page from your browser and choose “Save as PDF”: it looks the same."
        => go("Back to the report", "?"),
    NoSuchPerson: "Nobody with that user name can sign in. Check the spelling." => go("Type the name again", "#main"),
    AlreadyInvited: "That person is a member already, or has an open invitation. Nothing was changed."
        => go("See the team", "#main"),
    QuotesNotAgreed: "A report quotes your documents. Tick the box to let others read these quotes, or keep the report to yourself."
        => go("Choose who can read it", "#visibility"),
    ReasonMissing: "Give a reason of 1 to 1,000 characters, so that others can follow it." => go("Give a reason", "#reason"),
    TeamNameBad: "A team has a name of 1 to 64 characters. Type another." => go("Choose a name", "#name"),
    TeamNameTaken: "Another team has that name. Type another." => go("Choose a name", "#name"),
    TooManyRequests: "Too many of your requests are being answered. Wait until one is done, then try again." => AGAIN,
    TooManyAnnotations: "No more can be added here: remove notes, ratings or tags that are no longer needed, then try again."
        => AGAIN,
    ForeignOrigin: "The form was sent from another site and was blocked. Send it again from here." => go("Open AutOSINT", "/"),
    DiskFull: "The server\u{2019}s disk is full; nothing was stored. Ask your administrator to free some space." => AGAIN,
    Unavailable: "The database is unavailable. Nothing is lost; try again in a moment." => AGAIN,
    SampleMissing: "The sample documents are not installed. Ask your administrator." => go("Ask a question of your own", "/"),
    SampleOncePerDay: "You investigated the sample today. Try again tomorrow, or ask a question of your own."
        => go("See the assessments", "/assessments"),
    BadKey: "Not a valid key: it is empty, contains spaces, or is too long. Paste it again." => go("Type it again", "#main"),
    BadModel: "No such model. Enter \u{201c}extractive\u{201d}, or a provider listed below with its model, such as ollama:qwen3:8b."
        => go("See the providers", "#providers-title"),
    BadCap: "A cap is a number of 0 or more. Leave it empty for the default." => go("Type it again", "#main"),
    ProbeBusy: "This model is already being tested. Wait until the test is done." => AGAIN,
    NotRequeued: "The work order cannot be queued again: it is no longer failed, or its investigation has ended. Ask the question again."
        => go("Search for the question", "/search"),
    TaskBegun: "That reading task has begun or is done, so it stays in the plan." => go("See the plan", "#tasks-title"),
    TaskEmpty: "Say what to find or which page to read." => go("Change the task", "#objective"),
    TaskLong: "That task is too long (`engine.max_task_chars`), or names too many web pages. Shorten it."
        => go("Change the task", "#objective"),
    TaskKnown: "The plan has that reading task already. Word it differently, or leave it."
        => go("Change the task", "#objective"),
    PlanFull: "The plan has as many reading tasks as it may. Remove one that has not begun, then add yours."
        => go("See the plan", "#tasks-title"),
    PlanClosed: "Nothing is being read now, so nothing can be added. Ask a follow-up question instead."
        => go("See the assessments", "/assessments"),
    OffTheWeb: "This investigation stays off the web. Leave the web pages out, or ask a new question that may use it."
        => go("Change the task", "#addresses"),
    NoOpml: "Not an OPML file. Export your feeds as OPML from a feed reader and choose that file."
        => go("Choose another file", "#opml"),
    TooManyFeeds: "Too many feeds: the limit is `engine.web.max_feeds`. None was added. Import a shorter list, or ask an administrator to raise the limit."
        => go("See the feeds", "#feed-list"),
    BadForm: "That form could not be read. Open its page again and send it once more." => AGAIN,
    Internal: "Something went wrong on our side. Try again." => AGAIN,
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
