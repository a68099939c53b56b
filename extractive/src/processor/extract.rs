//! One document's text as claims, entities and relationships.

use super::super::{
    Rules,
    text::{self, DocumentEntity, Lexicon, Mention, Sentence, SentenceKind, Text, fold, one_line},
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
/// The ref and the kind of an outlet that the text does not name.
const OUTLET: &str = "outlet";
/// Prefix of the text of an e-mail.
const MAIL_HEAD: &str = "From: ";
/// Mailboxes that belong to an office.
const OFFICE_MAILBOXES: [&str; 12] =
    ["info", "office", "press", "media", "news", "contact", "support", "service", "sales", "admin", "noreply", "no-reply"];

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
        // The rules read every sentence for every question.
        in_view_only: None,
        outlet: None,
        credits: agency.map(|agency| CreditsExtract { agency: Some(agency), byline: None }),
        entities: reading.entities_of(&claims, outlet_name.as_deref()),
        claims,
        relationships,
        added: BTreeMap::new(),
    };
    if let Some(name) = outlet_name.filter(|name| !name.trim().is_empty()) {
        let kind = if is_mail(document) { sender_kind(&rules.lexicon, &name) } else { OUTLET };
        extract.outlet = Some(publisher(&mut extract.entities, &name, kind));
    }
    extract
}

/// Whether a document is an e-mail: it begins with its sender, who is its author.
fn is_mail(document: &PackedDocument<'_>) -> bool {
    let header = &document.header;
    document.text.starts_with(MAIL_HEAD) && header.outlet.is_some() && header.outlet == header.byline
}

/// The kind of the sender of an e-mail by the shape of its name: a person or an organisation, and never an outlet.
fn sender_kind(lexicon: &Lexicon, name: &str) -> &'static str {
    const PERSON_WORDS: std::ops::RangeInclusive<usize> = 2..=3;
    let kind_of = |is_person: bool| if is_person { kind(text::Kind::Person) } else { kind(text::Kind::Organisation) };
    let name = name.trim().trim_matches(['"', '\'']);
    if let Some((mailbox, _)) = name.split_once('@') {
        return kind_of(!OFFICE_MAILBOXES.contains(&fold(mailbox).as_str()));
    }
    // "Pell, Jonna", and not "Meridian, Inc."
    let turned = name.split_once(", ").filter(|(_, given)| !lexicon.is(text::Class::OrgSuffix, given.trim_end_matches('.')));
    let name = turned.map_or_else(|| name.to_owned(), |(family, given)| format!("{given} {family}"));
    let text = Text::new(lexicon, &name);
    let longest = text.mentions().into_iter().max_by_key(|mention| mention.span.len());
    kind_of(match longest {
        Some(mention) => mention.kind == text::Kind::Person,
        None => PERSON_WORDS.contains(&name.split_whitespace().count()),
    })
}

/// The ref of the publisher among the entities; it is added when the text does not speak of it. A person or an organisation of the
/// text stays one where it sent an e-mail.
fn publisher(entities: &mut Vec<EntityExtract>, name: &str, kind: &str) -> String {
    let folded = fold(name);
    let named =
        |entity: &&mut EntityExtract| std::iter::once(&entity.name).chain(&entity.aliases).any(|known| fold(known) == folded);
    if let Some(entity) = entities.iter_mut().find(named) {
        let is_sender = [text::Kind::Person, text::Kind::Organisation].iter().any(|kept| self::kind(*kept) == entity.kind);
        if kind == OUTLET || !is_sender {
            entity.kind = kind.into();
        }
        return entity.reference.clone();
    }
    entities.push(entity(OUTLET.into(), name.trim().to_owned(), vec![], kind));
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
    fn the_sender_of_a_mail_is_a_person_or_an_organisation() {
        for (sender, expect) in [
            ("Jonna Pell", "person"),
            ("Pell, Jonna", "person"),
            ("jonna pell", "person"),
            ("jonna.pell@kestra.example", "person"),
            ("press@kestra.example", "organisation"),
            ("Meridian Mutual", "organisation"),
            ("Kestra Grain Company", "organisation"),
            ("Kestra, Inc.", "organisation"),
        ] {
            let text =
                format!("From: {sender} <someone@kestra.example>\nSubject: Silo\n\nThe silo at Ebrin burned down on Monday.");
            let author = Some(sender.to_owned());
            let header = DocumentHeader { outlet: author.clone(), byline: author, ..DocumentHeader::default() };
            let packed = PackedDocument { document_id: DocumentId(Default::default()), header, text: &text };
            let extract = document(&crate::rules::shipped(), &packed);
            let publisher = extract.entities.iter().find(|entity| Some(&entity.reference) == extract.outlet.as_ref());
            assert_eq!(publisher.map(|entity| &*entity.kind), Some(expect), "{sender}");
        }
    }

    #[test]
    fn the_outlet_of_a_document_becomes_an_outlet_entity() {
        let header = DocumentHeader { outlet: Some("Port Gazette".into()), ..DocumentHeader::default() };
        let text = "The silo at Ebrin burned down on Monday.";
        let packed = PackedDocument { document_id: DocumentId(Default::default()), header, text };
        let extract = document(&crate::rules::shipped(), &packed);
        assert_eq!(extract.entities.iter().find(|entity| entity.name == "Port Gazette").map(|one| &*one.kind), Some("outlet"));
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
