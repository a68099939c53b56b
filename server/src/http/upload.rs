//! Multipart form with a question, addresses and files.

use super::answer::store_notice;
use app::Notice;
use axum::{
    extract::{
        Multipart,
        multipart::{MultipartError, MultipartRejection},
    },
    http::StatusCode,
};
use bytes::Bytes;
use engine::StoreError;

/// Content of the form.
#[derive(Debug, Default)]
pub(super) struct Upload {
    pub question: String,
    /// Page addresses as typed.
    pub addresses: String,
    pub files: Vec<(String, Bytes)>,
}

impl Upload {
    /// Reads the form. A failure carries the question, if it was read, so that the page can keep it.
    pub(super) async fn read(form: Result<Multipart, MultipartRejection>) -> Result<Self, (Notice, String)> {
        let mut upload = Self::default();
        let mut form = form.map_err(|rejection| (notice(rejection.status()), String::new()))?;
        match upload.fill(&mut form).await {
            Ok(()) => Ok(upload),
            Err(error) => Err((notice(error.status()), upload.question)),
        }
    }

    async fn fill(&mut self, form: &mut Multipart) -> Result<(), MultipartError> {
        while let Some(field) = form.next_field().await? {
            let file = field.file_name().map(str::to_owned);
            match (field.name(), file) {
                (Some("question"), None) => self.question = field.text().await?,
                (Some("addresses"), None) => self.addresses = field.text().await?,
                (_, Some(name)) => {
                    let bytes = field.bytes().await?;
                    // An empty file input sends one nameless, empty part.
                    if !name.is_empty() {
                        self.files.push((name, bytes));
                    }
                }
                _ => {}
            }
        }
        Ok(())
    }
}

/// Returns the first file of a form.
pub(super) async fn first_file(form: Result<Multipart, MultipartRejection>) -> Result<Bytes, Notice> {
    let Upload { files, .. } = Upload::read(form).await.map_err(|(notice, _)| notice)?;
    Ok(files.into_iter().next().map(|(_, bytes)| bytes).unwrap_or_default())
}

fn notice(status: StatusCode) -> Notice {
    if status == StatusCode::PAYLOAD_TOO_LARGE {
        return Notice::UploadLarge;
    }
    store_notice(&StoreError::Invalid(format!("form unreadable: {status}")))
}
