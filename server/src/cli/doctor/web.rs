//! What the doctor says about the web: who is told who asks, and how many sources are asked.

use super::Finding;
use crate::Program;
use domain::fetch::{Availability, SourceEntry};
use engine::fetch::sources::{self, AskError, SourceRecord};

type Known = Result<Vec<(SourceEntry, SourceRecord)>, AskError>;

/// Where a service fetches, its own contact counts.
pub(super) async fn findings(program: &Program) -> Vec<Finding> {
    let known = sources::listed(&program.engine).await;
    let contact = program.fetch_service.is_none().then(|| contact(program, &known));
    contact.into_iter().chain([sources(known)]).collect()
}

/// Without a contact everything works but for the sources that want to know who asks.
fn contact(program: &Program, known: &Known) -> Finding {
    let note = match program.config.fetch.contact.trim() {
        "" => {
            let unasked = known.iter().flatten().filter(|(entry, _)| entry.availability == Availability::NeedsContact);
            let names: Vec<_> = unasked.map(|(entry, _)| entry.name.as_str()).collect();
            let unasked =
                if names.is_empty() { String::new() } else { format!(", and these are not asked: {}", names.join(", ")) };
            format!("fetch.contact is empty: servers are not told who asks{unasked}")
        }
        contact => format!("{contact} is told to every server that is asked"),
    };
    Finding { what: "contact".to_owned(), ok: true, note }
}

fn sources(known: Known) -> Finding {
    let (ok, note) = match known {
        Ok(known) => {
            let on = known.iter().filter(|(entry, _)| entry.availability == Availability::Ready).count();
            let why = if on == 0 { ": nothing is searched but documents; see /sources" } else { "" };
            (true, format!("{on} of {} are on{why}", known.len()))
        }
        Err(AskError::Refused(why) | AskError::Unknown(why)) => (false, why),
        Err(AskError::Store(error)) => (false, error.to_string()),
    };
    Finding { what: "sources".to_owned(), ok, note }
}
