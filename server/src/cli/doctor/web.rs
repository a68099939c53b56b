//! What the doctor says about the web: who is told who asks, and how many sources are asked.

use super::Finding;
use crate::Program;
use domain::fetch::Availability;
use engine::fetch::sources::{self, AskError};

pub(super) async fn findings(program: &Program) -> Vec<Finding> {
    vec![contact(program), sources(program).await]
}

/// Without a contact everything works but for the sources that want to know who asks.
fn contact(program: &Program) -> Finding {
    let note = match program.config.fetch.contact.trim() {
        "" => "fetch.contact is empty: servers are not told who asks, and SEC EDGAR, Wikimedia and Reddit are not asked"
            .to_owned(),
        contact => format!("{contact} is told to every server that is asked"),
    };
    Finding { what: "contact".to_owned(), ok: true, note }
}

async fn sources(program: &Program) -> Finding {
    let (ok, note) = match sources::listed(&program.engine).await {
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
