//! News as text, as processes tell it each other: who says it, names of topics, and the ids of investigations that have new events, with
//! blanks between them.

use super::{Said, Topic};
use domain::InvestigationId;
use uuid::Uuid;

/// Ids in one message: a notice of PostgreSQL holds 8,000 bytes.
const MOST_IDS: usize = 200;

/// What was said, in as few messages as hold it.
pub(super) fn messages(me: &str, said: &Said) -> Vec<String> {
    let topics = said.topics.iter().map(|topic| name(*topic).to_owned());
    let words: Vec<String> = topics.chain(said.events_of.iter().map(|investigation| investigation.0.to_string())).collect();
    words.chunks(MOST_IDS).map(|words| format!("{me} {}", words.join(" "))).collect()
}

/// The sender and what it says; words that a newer version may say are passed over.
pub(super) fn understood(text: &str) -> Option<(&str, Said)> {
    let mut words = text.split(' ');
    let sender = words.next()?;
    let mut said = Said::default();
    for word in words {
        if let Some(topic) = Topic::ALL.into_iter().find(|topic| name(*topic) == word) {
            said.topics.insert(topic);
        } else if let Ok(id) = word.parse::<Uuid>() {
            said.events_of.insert(InvestigationId(id));
        }
    }
    Some((sender, said))
}

const fn name(topic: Topic) -> &'static str {
    match topic {
        Topic::Investigations => "investigations",
        Topic::Queue => "queue",
        Topic::Events => "events",
        Topic::Circuits => "circuits",
    }
}

#[cfg(test)]
mod tests {
    use super::{MOST_IDS, Said, Topic, messages, understood};
    use domain::InvestigationId;
    use std::collections::BTreeSet;
    use uuid::Uuid;

    fn said(investigations: u128) -> Said {
        Said {
            topics: BTreeSet::from([Topic::Queue, Topic::Investigations]),
            events_of: (0..investigations).map(|n| InvestigationId(Uuid::from_u128(n))).collect(),
        }
    }

    #[test]
    fn what_is_said_is_understood() {
        let told = messages("me", &said(2));
        assert_eq!(told.len(), 1);
        assert_eq!(understood(&told[0]), Some(("me", said(2))));
        assert_eq!(understood(&format!("{} later", told[0])), Some(("me", said(2))));
        assert!(messages("me", &Said::default()).is_empty());
    }

    #[test]
    fn much_news_fits_into_notices() {
        let told = messages(&"m".repeat(64), &said(3 * MOST_IDS as u128));
        assert!(told.len() == 4 && told.iter().all(|text| text.len() < 8_000));
        let heard: BTreeSet<_> = told.iter().filter_map(|text| understood(text)).flat_map(|(_, said)| said.events_of).collect();
        assert_eq!(heard, said(3 * MOST_IDS as u128).events_of);
    }
}
