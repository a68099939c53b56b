//! Multipart forms: a question with addresses and files, which go to disk as they arrive, and the file of a small form.

mod body;
mod scope_fields;

use super::{person_slots::PersonSlot, prelude::*};
use axum::extract::{
    FromRequest, Multipart,
    multipart::{Field, MultipartError, MultipartRejection},
};
use body::{BadBody, UnreadBytes};
use bytes::Bytes;
use domain::{
    investigation::{FollowKind, WebAccess},
    visibility::Visibility,
};
use engine::accounts;
use fetch::{UploadWriter, UploadedFiles};
pub(super) use scope_fields::ScopeFields;
use std::io;
use tokio::{sync::OwnedSemaphorePermit, time::timeout};

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
    slot: Option<UploadSlot>,
}

/// Place of an upload among those of this process and of its person.
#[derive(Debug)]
struct UploadSlot {
    _of_person: PersonSlot,
    _of_process: OwnedSemaphorePermit,
}

/// Reason for which an upload is not accepted.
enum UploadError {
    Form(StatusCode),
    TooLarge,
    TooManyFiles,
    OverQuota,
    Busy,
    TooSlow,
    Disk(io::Error),
    Store(StoreError),
}

impl From<MultipartError> for UploadError {
    fn from(error: MultipartError) -> Self {
        let causes = std::iter::successors(Some(&error as &dyn std::error::Error), |error| error.source());
        match causes.filter_map(|cause| cause.downcast_ref::<BadBody>()).next() {
            Some(BadBody::TooSlow) => Self::TooSlow,
            Some(BadBody::HeadTooLong) => Self::TooLarge,
            None => Self::Form(error.status()),
        }
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
            Self::Form(status) if status.is_client_error() => {
                tracing::debug!(%status, "unreadable form refused");
                Notice::BadForm
            }
            Self::Form(status) => store_notice(&StoreError::Invalid(format!("form unreadable: {status}"))),
            Self::TooManyFiles => Notice::TooManyFiles,
            Self::OverQuota => Notice::UploadQuota,
            Self::Busy => Notice::UploadsBusy,
            Self::TooSlow => Notice::UploadSlow,
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
        let config = &web.program.config;
        let limits = &config.server.uploads;
        let unread = UnreadBytes::new(limits.min_bytes_per_s);
        let request = request.map(|body| unread.limit(body));
        let form = Multipart::from_request(request, web).await;
        let mut form = form.map_err(|rejection| UploadError::Form(rejection.status()))?;
        let max_files = config.fetch.read.max_files;
        let mut writer = None;
        let (mut parts, mut files) = (0, 0);
        let max_long = config.server.request_max_bytes;
        let mut left = limits.text_bytes;
        while let Some(field) = form.next_field().await? {
            unread.reset();
            parts += 1;
            if parts > max_files.saturating_add(OTHER_PARTS) {
                return Err(UploadError::TooManyFiles);
            }
            let file = field.file_name().map(str::to_owned);
            match (field.name(), file) {
                (Some("question"), None) => self.question = text(field, &unread, max_long).await?,
                (Some("addresses"), None) => self.addresses = text(field, &unread, max_long).await?,
                (Some("folder"), None) => self.folder = short(field, &unread, &mut left).await?,
                (Some("web"), None) => {
                    self.web = WebAccess::parse(&short(field, &unread, &mut left).await?);
                }
                (Some("follows"), None) => {
                    self.follows = short(field, &unread, &mut left).await?.parse().ok();
                }
                (Some("kind"), None) => {
                    self.follow_kind = FollowKind::parse(&short(field, &unread, &mut left).await?);
                }
                (Some("visibility"), None) => {
                    self.visibility = Visibility::parse(&short(field, &unread, &mut left).await?);
                }
                (Some("quotes"), None) => {
                    self.agrees_to_quotes = short(field, &unread, &mut left).await? == "agreed";
                }
                (Some(name), None) if ScopeFields::has(name) => {
                    let name = name.to_owned();
                    let value = short(field, &unread, &mut left).await?;
                    if !self.scope.set(&name, value, limits.collections) {
                        return Err(UploadError::TooLarge);
                    }
                }
                // An empty file input sends one nameless, empty part.
                (_, Some(name)) if !name.is_empty() => {
                    files += 1;
                    if files > max_files {
                        return Err(UploadError::TooManyFiles);
                    }
                    if self.slot.is_none() {
                        self.slot = Some(wait_for_slot(web, user).await?);
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

/// Waits for a place among the uploads of a person and of this process.
async fn wait_for_slot(web: &WebState, user: &User) -> Result<UploadSlot, UploadError> {
    let wait = web.program.config.server.uploads.wait();
    let of_person = web.uploads_of_person.take(user.id, wait).await.ok_or(UploadError::Busy)?;
    let of_process = timeout(wait, web.uploads.clone().acquire_owned()).await;
    let of_process = of_process.ok().and_then(Result::ok).ok_or(UploadError::Busy)?;
    Ok(UploadSlot { _of_person: of_person, _of_process: of_process })
}

/// Reads a text field from what is `left` for all of them.
async fn short(field: Field<'_>, unread: &UnreadBytes, left: &mut usize) -> Result<String, UploadError> {
    let text = text(field, unread, *left).await?;
    *left -= text.len().min(*left);
    Ok(text)
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

/// Returns whether a request says that it has a multipart form.
pub(super) fn is_multipart(headers: &HeaderMap) -> bool {
    let media_type = headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    media_type.split(';').next().is_some_and(|name| name.trim().eq_ignore_ascii_case("multipart/form-data"))
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
