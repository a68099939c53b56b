//! Reading a file within a size limit.

use crate::refusal::Refusal;
use bytes::Bytes;
use domain::fetch::RejectReason;
use std::{io, path::Path};
use tokio::{fs::File, io::AsyncReadExt};

/// Whole content of a file, unless it exceeds the limit of the named setting.
pub(super) async fn read(file: &Path, (limit, setting): (u64, &'static str)) -> Result<Bytes, Refusal> {
    let opened = File::open(file).await.map_err(|error| unreadable(&error))?;
    let size = opened.metadata().await.map_err(|error| unreadable(&error))?.len();
    if size > limit {
        return Err(Refusal::too_large(size, limit, setting));
    }
    let mut bytes = Vec::with_capacity(size as usize);
    opened.take(limit + 1).read_to_end(&mut bytes).await.map_err(|error| unreadable(&error))?;
    if bytes.len() as u64 > limit {
        return Err(Refusal::too_large(bytes.len() as u64, limit, setting));
    }
    Ok(bytes.into())
}

pub(super) fn unreadable(error: &io::Error) -> Refusal {
    match error.kind() {
        io::ErrorKind::NotFound => Refusal::new(RejectReason::NotFound, "The file or folder does not exist; check the path."),
        io::ErrorKind::PermissionDenied => {
            Refusal::new(RejectReason::Unreadable, "Permission denied; change its access rights.")
        }
        _ => Refusal::new(RejectReason::Unreadable, "It could not be read; check the disk and try again."),
    }
}
