//! Notes on the outlets: how much rests on each, who stands behind it, and whether its texts try to instruct their reader.

use super::{
    super::{Conversation, TRAVERSE},
    Citations, Draft, Evidence,
};
use crate::extractive::{Settings, stand_in};
use domain::{EntityId, assessment::OutletNote, claim::Attribution};
use protocol::tools::TraversalResult;
use std::collections::{BTreeMap, BTreeSet};

/// Keys of the claims whose words address a reader, or a machine, in order to direct what it concludes. They are material about
/// their outlet and count for no answer.
pub(super) fn instructions(settings: &Settings, evidence: &Evidence) -> BTreeSet<usize> {
    let cues = &settings.report.instruction_cues;
    let addressing = evidence.claims.iter().enumerate().filter(|(_, claim)| {
        let said = claim.content.to_lowercase();
        cues.iter().any(|cue| said.contains(cue.as_str()))
    });
    addressing.map(|(key, _)| key).collect()
}

#[derive(Default)]
struct Record<'a> {
    name: &'a str,
    voices: BTreeSet<&'a str>,
    cited: usize,
    primary: usize,
    /// A claim that tries to instruct.
    instruction: Option<u32>,
}

/// A note for each outlet that is cited or tried to instruct, by name.
pub(super) fn notes(draft: &Draft<'_>, conversation: &Conversation<'_>, citations: &Citations<'_>) -> Vec<OutletNote> {
    let cited: BTreeSet<u32> = citations.keys().map(|(key, _)| key).collect();
    let mut records: BTreeMap<EntityId, Record<'_>> = BTreeMap::new();
    for (key, (claim, voice)) in (0..).zip(draft.evidence.claims.iter().zip(&draft.evidence.voices)) {
        let Some(outlet) = &claim.outlet else { continue };
        let record = records.entry(outlet.id).or_default();
        record.name = &outlet.name;
        record.voices.insert(voice);
        record.cited += usize::from(cited.contains(&key));
        record.primary += usize::from(cited.contains(&key) && claim.attribution == Attribution::Primary);
        if draft.instructions.contains(&(key as usize)) {
            record.instruction.get_or_insert(key);
        }
    }
    let behind = who_stands_behind(draft, conversation);
    let mut kept: Vec<_> = records.into_iter().filter(|(_, record)| record.cited > 0 || record.instruction.is_some()).collect();
    kept.sort_by(|a, b| b.1.cited.cmp(&a.1.cited).then_with(|| a.1.name.cmp(b.1.name)));
    kept.truncate(draft.settings.report.outlets);
    let note = |(entity_id, record): (EntityId, Record<'_>)| OutletNote {
        entity_id,
        name: record.name.to_owned(),
        notes: describe(draft, &record, behind.get(&entity_id)),
    };
    kept.into_iter().map(note).collect()
}

fn describe(draft: &Draft<'_>, record: &Record<'_>, behind: Option<&String>) -> String {
    let quotes = counted(record.cited, "quote", "quotes");
    let texts = counted(record.voices.len(), "text", "texts");
    let mut notes = format!("{quotes} cited, {} at first hand; {texts} read.", record.primary);
    if let Some(link) = behind {
        notes += &format!(" {link}");
    }
    if let Some(claim) = record.instruction.and_then(|key| draft.claim(key)) {
        notes += &format!(
            " Its text “{}” tries to instruct whoever reads it: “{}” Such sentences were left out of every answer; that they \
             were written speaks against the outlet.",
            claim.document_title, claim.content
        );
    }
    notes
}

fn counted(count: usize, one: &str, many: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { many })
}

/// By outlet: a link of the graph that says who owns or controls it.
fn who_stands_behind(draft: &Draft<'_>, conversation: &Conversation<'_>) -> BTreeMap<EntityId, String> {
    let words = &draft.settings.report.ownership_words;
    let mut behind = BTreeMap::new();
    for exchange in conversation.with(TRAVERSE) {
        let asked = exchange.request.arguments.get("entity_id").and_then(|reference| stand_in::id(reference.as_str()?));
        let (Some(asked), Some(found)) = (asked.map(EntityId), exchange.json::<TraversalResult>()) else { continue };
        let mut links: Vec<String> = found
            .relationships
            .iter()
            .filter(|edge| {
                let description = edge.relationship.description.to_lowercase();
                words.iter().any(|word| {
                    description.split_whitespace().any(|said| said == word)
                        || word.contains(' ') && description.contains(word.as_str())
                })
            })
            .map(|edge| format!("Linked with {}: “{}”.", edge.entity.name, edge.relationship.description))
            .collect();
        links.sort();
        if let Some(link) = links.into_iter().next() {
            behind.insert(asked, link);
        }
    }
    behind
}
