//! The text format of notifications: sender, topic names, and ids of investigations with new events, separated by blanks.

use super::{Topic, UnpublishedChanges};
use domain::InvestigationId;
use uuid::Uuid;

/// Maximum ids per message: a PostgreSQL notification holds 8,000 bytes.
const MAX_IDS: usize = 200;

/// Encodes notifications in as few messages as possible.
pub(super) fn encode(own_id: &str, pending: &UnpublishedChanges) -> Vec<String> {
    let topics = pending.topics.iter().map(|topic| topic.as_str().to_owned());
    let words: Vec<String> = topics.chain(pending.events_of.iter().map(|investigation| investigation.0.to_string())).collect();
    words.chunks(MAX_IDS).map(|words| format!("{own_id} {}", words.join(" "))).collect()
}

/// Decodes sender and notifications; words of newer versions are ignored.
pub(super) fn decode(text: &str) -> Option<(&str, UnpublishedChanges)> {
    let mut words = text.split(' ');
    let sender = words.next()?;
    let mut pending = UnpublishedChanges::default();
    for word in words {
        if let Some(topic) = Topic::parse(word) {
            pending.topics.insert(topic);
        } else if let Ok(id) = word.parse::<Uuid>() {
            pending.events_of.insert(InvestigationId(id));
        }
    }
    Some((sender, pending))
}

#[cfg(test)]
mod tests {
    use super::{MAX_IDS, Topic, UnpublishedChanges, decode, encode};
    use domain::InvestigationId;
    use std::collections::BTreeSet;
    use uuid::Uuid;

    fn pending(investigations: u128) -> UnpublishedChanges {
        UnpublishedChanges {
            topics: BTreeSet::from([Topic::Queue, Topic::Investigations]),
            events_of: (0..investigations).map(|n| InvestigationId(Uuid::from_u128(n))).collect(),
        }
    }

    #[test]
    fn a_message_is_decoded_as_it_was_encoded() {
        let sent = encode("me", &pending(2));
        assert_eq!(sent.len(), 1);
        assert_eq!(decode(&sent[0]), Some(("me", pending(2))));
        assert_eq!(decode(&format!("{} later", sent[0])), Some(("me", pending(2))));
        assert!(encode("me", &UnpublishedChanges::default()).is_empty());
    }

    #[test]
    fn many_changes_are_split_into_several_messages() {
        let sent = encode(&"m".repeat(64), &pending(3 * MAX_IDS as u128));
        assert!(sent.len() == 4 && sent.iter().all(|text| text.len() < 8_000));
        let heard: BTreeSet<_> =
            sent.iter().filter_map(|text| decode(text)).flat_map(|(_, pending)| pending.events_of).collect();
        assert_eq!(heard, pending(3 * MAX_IDS as u128).events_of);
    }
}
