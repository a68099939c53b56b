//! Checks of web access: contact address and sources.

use super::Finding;
use crate::Program;
use domain::fetch::{Availability, SourceEntry};
use engine::fetch::sources::{self, SourceQueryError, SourceRecord};

type SourceListing = Result<Vec<(SourceEntry, SourceRecord)>, SourceQueryError>;

/// A remote Fetch service has its own contact address.
pub(super) async fn findings(program: &Program) -> Vec<Finding> {
    if !program.config.engine.web.enabled {
        let note = "off (`engine.web.enabled`): questions are answered from documents only".to_owned();
        return vec![Finding { what: "web".to_owned(), ok: true, note }];
    }
    let listing = sources::list(&program.engine).await;
    let contact = program.fetch_service.is_none().then(|| contact(program, &listing));
    contact.into_iter().chain([sources(listing)]).collect()
}

/// Checks the contact address. Only some sources require one.
fn contact(program: &Program, listing: &SourceListing) -> Finding {
    let note = match program.config.fetch.contact.trim() {
        "" => {
            let unasked = listing.iter().flatten().filter(|(entry, _)| entry.availability == Availability::NeedsContact);
            let names: Vec<_> = unasked.map(|(entry, _)| entry.name.as_str()).collect();
            let unasked = if names.is_empty() { String::new() } else { format!("; disabled sources: {}", names.join(", ")) };
            format!("fetch.contact is empty: requests carry no contact address{unasked}")
        }
        contact => format!("{contact}, sent with every request"),
    };
    Finding { what: "contact".to_owned(), ok: true, note }
}

fn sources(listing: SourceListing) -> Finding {
    let (ok, note) = match listing {
        Ok(listing) => {
            let on = listing.iter().filter(|(entry, _)| entry.availability == Availability::Ready).count();
            let why = if on == 0 { ": only documents are searched; see /sources" } else { "" };
            (true, format!("{on} of {} are on{why}", listing.len()))
        }
        Err(SourceQueryError::Refused(why) | SourceQueryError::Unknown(why)) => (false, why),
        Err(SourceQueryError::Store(error)) => (false, error.to_string()),
    };
    Finding { what: "sources".to_owned(), ok, note }
}
