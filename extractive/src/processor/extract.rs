//! One document's text as claims, entities and relationships.

use super::super::{
    Rules,
    text::{self, DocumentEntity, Mention, Sentence, SentenceKind, Text, fold, one_line},
};
use domain::claim::Attribution;
use protocol::{
    pack::PackedDocument,
    tools::{ClaimExtract, CreditsExtract, DocumentExtract, EntityExtract, RelationshipExtract},
};
use std::collections::{BTreeMap, BTreeSet};

/// A claim says something with at least so many words.
const WORDS_MIN: usize = 3;
/// Longest quote and longest description of a relationship, in characters.
const QUOTE_CHARS: usize = 1_900;
const DESCRIPTION_CHARS: usize = 240;
/// The ref of an outlet that the text does not name.
const OUTLET: &str = "outlet";

/// Everything that a document states.
pub(super) fn document(rules: &Rules, document: &PackedDocument<'_>) -> DocumentExtract {
    let source = document.text;
    let text = Text::new(&rules.lexicon, source);
    let mentions = text.mentions();
    let entities = text.entities(&mentions);
    let dateline_outlet = text.dateline().and_then(|line| text.filed_by(&line));
    // Who filed a report that somebody else publishes is the agency that it is from.
    let outlet_name = document.header.outlet.clone().or_else(|| dateline_outlet.clone());
    let agency = dateline_outlet.filter(|filed| outlet_name.as_ref().is_some_and(|outlet| fold(outlet) != fold(filed)));
    let is_office = outlet_name.as_deref().is_some_and(|name| Text::new(&rules.lexicon, name).names_an_office());
    let reading = Reading::new(&text, &mentions, &entities, is_office);
    let (claims, relationships) = reading.statements();
    let mut extract = DocumentExtract {
        document_id: document.document_id,
        outlet: None,
        credits: agency.map(|agency| CreditsExtract { agency: Some(agency), byline: None }),
        entities: reading.entities_of(&claims, outlet_name.as_deref()),
        claims,
        relationships,
    };
    if let Some(name) = outlet_name.filter(|name| !name.trim().is_empty()) {
        extract.outlet = Some(outlet(&mut extract.entities, &name));
    }
    extract
}

/// The ref of the outlet among the entities; it is added when the text does not speak of it.
fn outlet(entities: &mut Vec<EntityExtract>, name: &str) -> String {
    let folded = fold(name);
    let named =
        |entity: &&mut EntityExtract| std::iter::once(&entity.name).chain(&entity.aliases).any(|known| fold(known) == folded);
    if let Some(entity) = entities.iter_mut().find(named) {
        entity.kind = OUTLET.into();
        return entity.reference.clone();
    }
    entities.push(entity(OUTLET.into(), name.trim().to_owned(), vec![], OUTLET));
    OUTLET.into()
}

fn entity(reference: String, name: String, aliases: Vec<String>, kind: &str) -> EntityExtract {
    EntityExtract { reference, name, aliases, kind: kind.into(), ..EntityExtract::default() }
}

/// A text with its names, each mention pointing at its entity.
struct Reading<'a> {
    text: &'a Text<'a>,
    mentions: &'a [Mention],
    entities: &'a [DocumentEntity],
    /// By mention.
    entity_of: Vec<Option<usize>>,
    /// Whether an office published it, and no outlet.
    is_office: bool,
}

impl<'a> Reading<'a> {
    fn new(text: &'a Text<'a>, mentions: &'a [Mention], entities: &'a [DocumentEntity], is_office: bool) -> Self {
        let mut entity_of = vec![None; mentions.len()];
        for (n, entity) in entities.iter().enumerate() {
            for mention in &entity.mentions {
                entity_of[*mention] = Some(n);
            }
        }
        Self { text, mentions, entities, entity_of, is_office }
    }

    fn statements(&self) -> (Vec<ClaimExtract>, Vec<RelationshipExtract>) {
        let mut claims: Vec<ClaimExtract> = vec![];
        let mut links: BTreeMap<(usize, usize, String), RelationshipExtract> = BTreeMap::new();
        for sentence in self.text.sentences().iter().filter(|sentence| self.says_something(sentence)) {
            let Some(claim) = self.claim(sentence, claims.len()) else { continue };
            for relation in self.text.relations(sentence.span, self.mentions) {
                let (Some(from), Some(to)) = (self.entity_of[relation.from], self.entity_of[relation.to]) else { continue };
                let description: String = relation.description.chars().take(DESCRIPTION_CHARS).collect();
                if from == to || description.trim().is_empty() {
                    continue;
                }
                let link = links.entry((from, to, fold(&description))).or_insert_with(|| RelationshipExtract {
                    source: reference(from),
                    target: reference(to),
                    description,
                    bidirectional: relation.bidirectional,
                    ..RelationshipExtract::default()
                });
                link.claims.push(claim.reference.clone());
            }
            claims.push(claim);
        }
        (claims, links.into_values().collect())
    }

    fn says_something(&self, sentence: &Sentence) -> bool {
        matches!(sentence.kind, SentenceKind::Prose | SentenceKind::Item)
            && !self.text.is_order(sentence.span)
            && (!self.text.is_question(sentence.span) || self.text.attribution(sentence.span).speaker.is_some())
            && sentence.span.slice(self.text.source()).split_whitespace().take(WORDS_MIN).count() == WORDS_MIN
    }

    fn claim(&self, sentence: &Sentence, number: usize) -> Option<ClaimExtract> {
        let source = self.text.source();
        let quote: String = sentence.span.slice(source).trim().chars().take(QUOTE_CHARS).collect();
        let content = one_line(&quote);
        let statement = self.text.attribution(sentence.span);
        let named = statement.speaker.and_then(|speaker| self.text.speaker_name(speaker, self.mentions));
        let speaker = named.or(sentence.speaker_note).map(|span| one_line(span.slice(source)));
        let attribution = match statement.attribution {
            Attribution::Unattributed if speaker.is_some() => Attribution::Secondhand,
            Attribution::Unattributed if self.is_office => Attribution::Primary,
            // "He added that …": whom the document cites stands in another sentence.
            Attribution::Secondhand if speaker.is_none() => Attribution::Indirect,
            stated => stated,
        };
        (!content.is_empty()).then(|| ClaimExtract {
            reference: format!("c{number}"),
            quote,
            content,
            entities: self.entities_in(sentence).into_iter().map(reference).collect(),
            attribution,
            information: statement.information,
            mode: statement.mode,
            speaker,
            // That a sentence has a date does not say that it is the date of what it states.
            occurred: None,
        })
    }

    fn entities_in(&self, sentence: &Sentence) -> BTreeSet<usize> {
        let first = self.mentions.partition_point(|mention| mention.span.start < sentence.span.start);
        let inside = self.mentions[first..].iter().take_while(|mention| mention.span.end <= sentence.span.end).count();
        self.entity_of[first..first + inside].iter().flatten().copied().collect()
    }

    /// The entities that claims or relationships speak of, or that are the outlet.
    fn entities_of(&self, claims: &[ClaimExtract], outlet: Option<&str>) -> Vec<EntityExtract> {
        let used: BTreeSet<&str> = claims.iter().flat_map(|claim| claim.entities.iter().map(String::as_str)).collect();
        let outlet = outlet.map(fold);
        let numbered = self.entities.iter().enumerate();
        let wanted = numbered.filter(|(n, entity)| {
            used.contains(reference(*n).as_str()) || outlet.as_deref() == Some(fold(&entity.canonical).as_str())
        });
        wanted
            .map(|(n, known)| entity(reference(n), known.canonical.clone(), known.aliases.clone(), kind(known.kind)))
            .collect()
    }
}

fn reference(entity: usize) -> String {
    format!("e{entity}")
}

fn kind(kind: text::Kind) -> &'static str {
    match kind {
        text::Kind::Person => "person",
        text::Kind::Organisation => "organisation",
        text::Kind::Place => "place",
        text::Kind::Other => "thing",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use domain::DocumentId;
    use protocol::pack::DocumentHeader;

    #[test]
    fn a_question_is_a_claim_where_somebody_asks_it() {
        let text = "The ferry sank off Ebrin. Who sank the ferry? The minister asked: \"Who sank the ferry?\"";
        let packed = PackedDocument { document_id: DocumentId(Default::default()), header: DocumentHeader::default(), text };
        let claims = document(&crate::rules::shipped(), &packed).claims;
        let quotes: Vec<&str> = claims.iter().map(|claim| claim.quote.as_str()).collect();
        assert_eq!(quotes, ["The ferry sank off Ebrin.", "The minister asked: \"Who sank the ferry?\""]);
    }

    #[test]
    fn every_statement_of_somebody_names_a_speaker_or_is_indirect() {
        let text = "The minister closed the harbour of Ebrin on Monday. He added that it would stay shut for a week.";
        let packed = PackedDocument { document_id: DocumentId(Default::default()), header: DocumentHeader::default(), text };
        let claims = document(&crate::rules::shipped(), &packed).claims;
        let last = claims.last().expect("two claims");
        assert_eq!((last.attribution, last.speaker.as_deref()), (Attribution::Indirect, None));
    }
}
