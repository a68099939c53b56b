//! Multipart forms: a question with addresses and files, which go to disk as they arrive, and the file of a small form.

mod body;
mod scope_fields;

use super::{WebState, answer::store_notice};
use app::Notice;
use axum::{
    extract::{
        FromRequest, Multipart, Request,
        multipart::{Field, MultipartError, MultipartRejection},
    },
    http::StatusCode,
};
use body::UnreadBytes;
use bytes::Bytes;
use domain::{
    InvestigationId,
    investigation::{FollowKind, WebAccess},
    user::User,
    visibility::Visibility,
};
use engine::{StoreError, accounts};
use fetch::{UploadWriter, UploadedFiles};
pub(super) use scope_fields::ScopeFields;
use std::io;
use tokio::{
    sync::{OwnedSemaphorePermit, TryAcquireError},
    time::timeout,
};

/// Parts of the form besides files: its text fields, and inputs without a file.
const OTHER_PARTS: usize = 100;

/// Content of the form.
#[derive(Debug, Default)]
pub(super) struct Upload {
    pub question: String,
    /// Page addresses as typed.
    pub addresses: String,
    /// Name of a folder on the server; empty: none.
    pub folder: String,
    /// Web access as chosen; none: off where private files are used.
    pub web: Option<WebAccess>,
    /// Question that it continues, and how.
    pub follows: Option<InvestigationId>,
    pub follow_kind: Option<FollowKind>,
    /// Other readers of the report; none: only the owner.
    pub visibility: Option<Visibility>,
    /// The others may read its quotes.
    pub agrees_to_quotes: bool,
    pub scope: ScopeFields,
    pub files: Option<UploadedFiles>,
    /// Place among the uploads of this process, held until the files are read.
    slot: Option<OwnedSemaphorePermit>,
}

/// Reason for which an upload is not accepted.
enum UploadError {
    Form(StatusCode),
    TooLarge,
    TooManyFiles,
    OverQuota,
    Busy,
    Disk(io::Error),
    Store(StoreError),
}

impl From<MultipartError> for UploadError {
    fn from(error: MultipartError) -> Self {
        Self::Form(error.status())
    }
}

impl From<io::Error> for UploadError {
    fn from(error: io::Error) -> Self {
        Self::Disk(error)
    }
}

impl UploadError {
    /// Returns the message of the problem, and logs causes that are not the person's.
    fn notice(self) -> Notice {
        match self {
            Self::Form(StatusCode::PAYLOAD_TOO_LARGE) | Self::TooLarge => Notice::UploadLarge,
            Self::Form(status) => store_notice(&StoreError::Invalid(format!("form unreadable: {status}"))),
            Self::TooManyFiles => Notice::TooManyFiles,
            Self::OverQuota => Notice::UploadQuota,
            Self::Busy => Notice::UploadsBusy,
            Self::Disk(error) if error.kind() == io::ErrorKind::StorageFull => store_notice(&StoreError::Full),
            Self::Disk(error) => store_notice(&StoreError::Unavailable(format!("upload not stored: {error}"))),
            Self::Store(error) => store_notice(&error),
        }
    }
}

impl Upload {
    /// Reads the form of a user. A failure carries the fields that were read, so that the page can keep them.
    pub(super) async fn read(web: &WebState, user: &User, request: Request) -> Result<Self, (Notice, Box<Self>)> {
        let mut upload = Self::default();
        match upload.fill(web, user, request).await {
            Ok(()) => Ok(upload),
            Err(error) => Err((error.notice(), Box::new(upload))),
        }
    }

    async fn fill(&mut self, web: &WebState, user: &User, request: Request) -> Result<(), UploadError> {
        let unread = UnreadBytes::default();
        let request = request.map(|body| unread.limit(body));
        let form = Multipart::from_request(request, web).await;
        let mut form = form.map_err(|rejection| UploadError::Form(rejection.status()))?;
        let config = &web.program.config;
        let max_files = config.fetch.read.max_files;
        let mut writer = None;
        let (mut parts, mut files) = (0, 0);
        while let Some(field) = form.next_field().await? {
            unread.reset();
            parts += 1;
            if parts > max_files.saturating_add(OTHER_PARTS) {
                return Err(UploadError::TooManyFiles);
            }
            let file = field.file_name().map(str::to_owned);
            match (field.name(), file) {
                (Some("question"), None) => self.question = text(field, &unread, config.server.request_max_bytes).await?,
                (Some("addresses"), None) => self.addresses = text(field, &unread, config.server.request_max_bytes).await?,
                (Some("folder"), None) => self.folder = text(field, &unread, config.server.request_max_bytes).await?,
                (Some("web"), None) => {
                    self.web = WebAccess::parse(&text(field, &unread, config.server.request_max_bytes).await?);
                }
                (Some("follows"), None) => {
                    self.follows = text(field, &unread, config.server.request_max_bytes).await?.parse().ok();
                }
                (Some("kind"), None) => {
                    self.follow_kind = FollowKind::parse(&text(field, &unread, config.server.request_max_bytes).await?);
                }
                (Some("visibility"), None) => {
                    self.visibility = Visibility::parse(&text(field, &unread, config.server.request_max_bytes).await?);
                }
                (Some("quotes"), None) => {
                    self.agrees_to_quotes = text(field, &unread, config.server.request_max_bytes).await? == "agreed";
                }
                (Some(name), None) if ScopeFields::has(name) => {
                    let name = name.to_owned();
                    self.scope.set(&name, text(field, &unread, config.server.request_max_bytes).await?);
                }
                // An empty file input sends one nameless, empty part.
                (_, Some(name)) if !name.is_empty() => {
                    files += 1;
                    if files > max_files {
                        return Err(UploadError::TooManyFiles);
                    }
                    if self.slot.is_none() {
                        self.slot = Some(wait_for_slot(web).await?);
                    }
                    let writer = match &mut writer {
                        Some(writer) => writer,
                        none => none.insert(UploadWriter::create(&web.program.data_dir.uploads()).await?),
                    };
                    writer.begin(&name);
                    store(field, &unread, writer).await?;
                }
                _ => {}
            }
        }
        if let Some(writer) = writer {
            let files = writer.finish().await?;
            let max_bytes = config.server.uploads.day_bytes_per_person;
            let counted = accounts::count_upload(&web.program.engine, user, files.size_bytes(), max_bytes).await;
            if !counted.map_err(UploadError::Store)? {
                return Err(UploadError::OverQuota);
            }
            self.files = Some(files);
        }
        Ok(())
    }
}

/// Waits for a place among the uploads of this process.
async fn wait_for_slot(web: &WebState) -> Result<OwnedSemaphorePermit, UploadError> {
    match web.uploads.clone().try_acquire_owned() {
        Ok(slot) => return Ok(slot),
        Err(TryAcquireError::Closed) => return Err(UploadError::Busy),
        Err(TryAcquireError::NoPermits) => {}
    }
    let waited = timeout(web.program.config.server.uploads.wait(), web.uploads.clone().acquire_owned()).await;
    waited.ok().and_then(Result::ok).ok_or(UploadError::Busy)
}

/// Reads a text field of at most `max_bytes`.
async fn text(mut field: Field<'_>, unread: &UnreadBytes, max_bytes: usize) -> Result<String, UploadError> {
    let mut bytes = vec![];
    while let Some(piece) = field.chunk().await? {
        unread.reset();
        bytes.extend_from_slice(&piece);
        if bytes.len() > max_bytes {
            return Err(UploadError::TooLarge);
        }
    }
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// Stores a file as it arrives.
async fn store(mut field: Field<'_>, unread: &UnreadBytes, writer: &mut UploadWriter) -> Result<(), UploadError> {
    while let Some(piece) = field.chunk().await? {
        unread.reset();
        writer.write(&piece).await?;
    }
    Ok(())
}

/// Returns the first file of a small form, which is read into memory.
pub(super) async fn first_file(form: Result<Multipart, MultipartRejection>) -> Result<Bytes, Notice> {
    let notice = |status| UploadError::Form(status).notice();
    let mut form = form.map_err(|rejection| notice(rejection.status()))?;
    while let Some(field) = form.next_field().await.map_err(|error| notice(error.status()))? {
        if field.file_name().is_some_and(|name| !name.is_empty()) {
            return field.bytes().await.map_err(|error| notice(error.status()));
        }
    }
    Ok(Bytes::new())
}
