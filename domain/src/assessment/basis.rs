//! Basis of an assessment: shares of its citations, sources that alone carry a part of it, texts on both sides of an answer, and
//! sources that are known through others only. The program counts; it changes no probability.
//!
//! Cost: each citation is in one source of each kind, so all sources are left out in citations × hypotheses steps.

mod linchpin;
mod order;
mod speakers;

pub use self::{linchpin::sharpest_line, speakers::speakers};

use self::{order::Order, speakers::speaker_names};
use super::{Answer, Assessment, Body, Citation, Hypothesis, Marker, without_markers};
use crate::claim::Attribution;
use std::{
    cmp::Reverse,
    collections::{BTreeMap, BTreeSet},
};

/// Basis of an assessment, in sentences with `[n]` markers. An evidence brief has none: it quotes each source beside its
/// statement.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Basis {
    pub lines: Vec<String>,
    /// Those on which most judgements and leading answers rest come first.
    pub primary_sources: Vec<PrimarySource>,
}

impl Basis {
    pub fn new(assessment: &Assessment) -> Self {
        if !assessment.kind.is_assessment() {
            return Self::default();
        }
        let evidence = EvidenceBase::new(assessment);
        Self { lines: evidence.lines(&assessment.body), primary_sources: evidence.primary_sources() }
    }
}

/// A source that the assessment quotes through others, and none of whose own texts it cites.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PrimarySource {
    /// Its name, the citations, and the outlets that quote it.
    pub line: String,
    /// Words of a question that would find it.
    pub draft: String,
}

/// Number of texts for and against an answer. A text that is cited on both sides counts as disputed only.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Sides {
    pub supporting: usize,
    pub against: usize,
    /// The first citation of each disputed text.
    pub disputed: Vec<Marker>,
}

impl Sides {
    /// Whether no text tells for it, against it, or both.
    pub fn is_empty(&self) -> bool {
        self.supporting == 0 && self.against == 0 && self.disputed.is_empty()
    }

    /// `2 texts for it, 1 against it, disputed in 3`.
    pub fn sentence(&self) -> String {
        let sides = format!("{} for it, {} against it", plural(self.supporting, "text", "texts"), self.against);
        if self.disputed.is_empty() { sides } else { format!("{sides}, disputed in {}", self.disputed.len()) }
    }
}

/// Counts the texts on each side of the answers to one question. A text that is cited on both sides of several answers tells none
/// apart, and is not counted as disputed.
pub fn sides(answers: &[&Hypothesis], citations: &[Citation]) -> Vec<Sides> {
    let texts = answers.iter().map(|one| (texts(citations, &one.supporting), texts(citations, &one.against)));
    let texts: Vec<_> = texts.collect();
    let is_disputed =
        |text: &&str| texts.iter().filter(|(yes, no)| yes.contains_key(*text) && no.contains_key(*text)).count() == 1;
    let count = |(supporting, against): &(BTreeMap<&str, Marker>, BTreeMap<&str, Marker>)| {
        let both: BTreeSet<&str> = supporting.keys().copied().filter(|text| against.contains_key(*text)).collect();
        let disputed = both.iter().filter(|text| is_disputed(text)).filter_map(|text| supporting.get(*text).copied());
        let mut disputed: Vec<Marker> = disputed.collect();
        disputed.sort_unstable();
        Sides { supporting: supporting.len() - both.len(), against: against.len() - both.len(), disputed }
    };
    texts.iter().map(count).collect()
}

/// The texts that these citations stand in, each with its first citation.
fn texts<'a>(citations: &'a [Citation], markers: &[Marker]) -> BTreeMap<&'a str, Marker> {
    let mut texts = BTreeMap::new();
    for citation in citations.iter().filter(|citation| markers.contains(&citation.marker)) {
        texts.entry(citation.origin_key()).or_insert(citation.marker);
    }
    texts
}

/// Kinds of sources, from the narrowest to the widest.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum SourceKind {
    Claim,
    Page,
    /// An origin with several pages.
    Text,
    /// An outlet with several pages.
    Outlet,
    /// A speaker on several pages.
    Speaker,
}

impl SourceKind {
    const ALL: [Self; 5] = [Self::Claim, Self::Page, Self::Text, Self::Outlet, Self::Speaker];

    /// Returns the source of a citation; none without a speaker.
    fn key(self, citation: &Citation, speakers: &BTreeMap<Marker, String>) -> Option<String> {
        Some(match self {
            Self::Claim => citation.claim_id.to_string(),
            Self::Page => citation.document_id.to_string(),
            Self::Text => citation.origin_key().to_owned(),
            Self::Outlet => citation.source_name().to_lowercase(),
            Self::Speaker => return speakers.get(&citation.marker).cloned(),
        })
    }
}

/// Citations of one source, and the parts of the assessment that change without them.
struct Source<'a> {
    kind: SourceKind,
    name: String,
    markers: BTreeSet<Marker>,
    pages: usize,
    speakers: usize,
    /// Judgements and leading answers that cite nothing else.
    carried: Vec<&'a str>,
    /// Leading answers that no longer have the least evidence against them, each with the rival that has no more.
    overtaken: Vec<(&'a str, &'a str)>,
}

impl Source<'_> {
    fn first(&self) -> Marker {
        self.markers.first().copied().unwrap_or_default()
    }

    /// `one page of Tessin Courier [1]`.
    fn phrase(&self) -> String {
        let (name, marker) = (without_markers(&self.name), self.first());
        match self.kind {
            SourceKind::Claim => format!("one claim of {name} [{marker}]"),
            SourceKind::Page => format!("one page of {name} [{marker}]"),
            SourceKind::Text => format!("one text on {} pages [{marker}]", self.pages),
            SourceKind::Outlet => format!("the outlet {name} [{marker}]"),
            SourceKind::Speaker => format!("one speaker, {name}, on {} pages [{marker}]", self.pages),
        }
    }
}

/// A judgement or a leading answer, with what is cited for it.
struct Part<'a> {
    id: &'a str,
    markers: BTreeSet<Marker>,
}

/// The hypothesis that leads alone; none where that is "none of these", or another answer is level with it.
fn sole_leader<'a>(answers: &[Answer<'a>]) -> Option<&'a Hypothesis> {
    answers.first().filter(|leading| !leading.is_none() && !leading.is_level).map(|leading| leading.lead)
}

/// Citations of an assessment, and the parts and orders that rest on them.
struct EvidenceBase<'a> {
    citations: &'a [Citation],
    /// The speaker of each citation that has one.
    speakers: BTreeMap<Marker, String>,
    parts: Vec<Part<'a>>,
    /// Judgements and leading answers that cite nothing.
    uncited: Vec<&'a str>,
    orders: Vec<Order<'a>>,
}

impl<'a> EvidenceBase<'a> {
    fn new(assessment: &'a Assessment) -> Self {
        let (body, known) = (&assessment.body, assessment.markers());
        let sets = body.hypothesis_sets();
        let judgements = body.key_judgements.iter().map(|one| Part { id: one.id.as_str(), markers: one.cited() });
        let leading: Vec<Option<&'a Hypothesis>> = body.answers().iter().map(|answers| sole_leader(answers)).collect();
        let leaders = leading.iter().flatten();
        let leaders = leaders.map(|one| Part { id: one.id.as_str(), markers: one.supporting.iter().copied().collect() });
        let mut parts: Vec<Part<'a>> = judgements.chain(leaders).collect();
        for part in &mut parts {
            part.markers.retain(|marker| known.contains(marker));
        }
        let uncited = parts.iter().filter(|part| part.markers.is_empty()).map(|part| part.id).collect();
        parts.retain(|part| !part.markers.is_empty());
        let orders = sets.iter().zip(&leading);
        let orders = orders.filter_map(|((_, answers), lead)| Order::new((*lead)?, answers, &body.evidence_matrix));
        let speakers = speaker_names(&assessment.citations);
        Self { citations: &assessment.citations, speakers, parts, uncited, orders: orders.collect() }
    }

    /// `Nothing is cited for H1 and H4`; none where everything is cited.
    fn uncited_in_words(&self) -> Option<String> {
        (!self.uncited.is_empty()).then(|| format!("Nothing is cited for {}", listed(&self.uncited)))
    }

    /// Returns the sources of a kind, the largest first.
    fn sources(&self, kind: SourceKind) -> Vec<Source<'a>> {
        let mut groups: BTreeMap<String, Vec<&'a Citation>> = BTreeMap::new();
        let mut keys: BTreeMap<Marker, String> = BTreeMap::new();
        for citation in self.citations {
            let Some(key) = kind.key(citation, &self.speakers) else { continue };
            keys.insert(citation.marker, key.clone());
            groups.entry(key).or_default().push(citation);
        }
        let mut carried: BTreeMap<&str, Vec<&'a str>> = BTreeMap::new();
        for part in &self.parts {
            let cited: BTreeSet<&str> = part.markers.iter().filter_map(|marker| keys.get(marker)).map(String::as_str).collect();
            let is_whole = part.markers.iter().all(|marker| keys.contains_key(marker));
            if let (true, 1, Some(key)) = (is_whole, cited.len(), cited.first()) {
                carried.entry(*key).or_default().push(part.id);
            }
        }
        let mut sources: Vec<Source<'a>> = vec![];
        for (key, cited) in &groups {
            sources.push(self.source(kind, cited, carried.remove(key.as_str()).unwrap_or_default()));
        }
        if matches!(kind, SourceKind::Text | SourceKind::Outlet | SourceKind::Speaker) {
            sources.retain(|source| source.pages > 1);
        }
        sources.sort_by_key(|source| (Reverse(source.markers.len()), source.first()));
        sources
    }

    fn source(&self, kind: SourceKind, cited: &[&'a Citation], carried: Vec<&'a str>) -> Source<'a> {
        let markers: BTreeSet<Marker> = cited.iter().map(|citation| citation.marker).collect();
        let pages: BTreeSet<_> = cited.iter().map(|citation| citation.document_id).collect();
        let first = cited.iter().copied().min_by_key(|citation| citation.marker);
        let overtaken = self.orders.iter().filter_map(|order| Some((order.lead, order.rival_without(&markers)?)));
        let name = match kind {
            SourceKind::Speaker => cited.iter().rev().filter_map(|citation| citation.speaker.clone()).max_by_key(String::len),
            _ => first.map(Citation::source_name),
        };
        let named = self.speakers.iter().filter(|(marker, _)| markers.contains(marker));
        Source {
            kind,
            name: name.unwrap_or_default(),
            pages: pages.len(),
            speakers: named.map(|(_, speaker)| speaker).collect::<BTreeSet<_>>().len(),
            carried,
            overtaken: overtaken.collect(),
            markers,
        }
    }

    /// `9 of 37 citations`.
    fn share(&self, source: &Source<'_>) -> String {
        format!("{} of {}", source.markers.len(), plural(self.citations.len(), "citation", "citations"))
    }

    /// `9 of 37 citations are from one page of Tessin Courier [1]`.
    fn share_of(&self, source: &Source<'_>) -> String {
        let verb = if source.markers.len() == 1 { "is" } else { "are" };
        format!("{} {verb} from {}", self.share(source), source.phrase())
    }

    fn lines(&self, body: &Body) -> Vec<String> {
        let kinds = SourceKind::ALL.map(|kind| self.sources(kind));
        let mut lines = self.share_lines(&kinds);
        lines.extend(self.uncited_in_words().filter(|_| !self.citations.is_empty()).map(|text| format!("{text}.")));
        let mut carried: BTreeSet<&str> = BTreeSet::new();
        for source in kinds.iter().flatten() {
            // A wider source adds nothing to a narrower one.
            let ids: Vec<&str> = source.carried.iter().copied().filter(|id| carried.insert(*id)).collect();
            if !ids.is_empty() {
                lines.push(format!("Nothing but {} is cited for {}.", source.phrase(), listed(&ids)));
            }
        }
        // Of each leading answer, the citations of narrower sources that it needs.
        let mut needed: BTreeMap<&str, BTreeSet<Marker>> = BTreeMap::new();
        for sources in &kinds {
            let mut found: Vec<(&str, &Source<'_>)> = vec![];
            for source in sources {
                for (lead, rival) in &source.overtaken {
                    if needed.get(lead).is_none_or(|markers| markers.is_disjoint(&source.markers)) {
                        found.push((*lead, source));
                        let phrase = source.phrase();
                        lines.push(format!(
                            "Without {phrase}, {lead} no longer has less evidence rated against it than {rival}."
                        ));
                    }
                }
            }
            for (lead, source) in found {
                needed.entry(lead).or_default().extend(&source.markers);
            }
        }
        lines.extend(self.orders.iter().filter_map(Order::contradiction));
        let sets = body.hypothesis_sets();
        let sides = sets.iter().flat_map(|(_, answers)| answers.iter().zip(sides(answers, self.citations)));
        for (answer, Sides { disputed, .. }) in sides.filter(|(answer, _)| !answer.is_none) {
            let markers: String = disputed.iter().map(|marker| format!("[{marker}]")).collect();
            if !disputed.is_empty() {
                let texts = plural(disputed.len(), "text", "texts");
                lines.push(format!("{} is disputed in {texts}: cited for it and against it {markers}.", answer.id));
            }
        }
        lines
    }

    /// Returns the largest page, text, outlet and speaker, where each has several citations.
    fn share_lines(&self, [_, pages, texts, outlets, speakers]: &[Vec<Source<'a>>; 5]) -> Vec<String> {
        let largest = [pages, texts, outlets, speakers].into_iter().filter_map(|sources| sources.first());
        let lines = largest.filter(|source| source.markers.len() > 1).map(|source| {
            let quotes = match (source.kind, source.speakers) {
                (SourceKind::Page, 2..) => format!(", which quotes {} speakers", source.speakers),
                _ => String::new(),
            };
            format!("{} are from {}{quotes}.", self.share(source), source.phrase())
        });
        lines.collect()
    }

    fn primary_sources(&self) -> Vec<PrimarySource> {
        let first_hand: Vec<&Citation> = self.citations.iter().filter(|one| one.attribution == Attribution::Primary).collect();
        let speakers = first_hand.iter().filter_map(|citation| self.speakers.get(&citation.marker));
        let mut read: BTreeSet<String> = speakers.cloned().collect();
        read.extend(first_hand.iter().map(|citation| citation.source_name().to_lowercase()));
        let mut groups: BTreeMap<String, Vec<&Citation>> = BTreeMap::new();
        for citation in self.citations.iter().filter(|citation| citation.attribution == Attribution::Secondhand) {
            if let Some(speaker) = self.speakers.get(&citation.marker) {
                groups.entry(speaker.clone()).or_default().push(citation);
            }
        }
        // "Halvek Rail" is read where an outlet is the "Halvek Rail Newsroom"; "Korea" is not where "North Korea" is.
        groups.retain(|speaker, _| !read.iter().any(|name| begins_with_name(name, speaker)));
        let mut sources: Vec<(usize, Vec<&Citation>)> = vec![];
        for cited in groups.into_values() {
            let uses = |part: &&Part<'_>| cited.iter().any(|citation| part.markers.contains(&citation.marker));
            let weight = self.parts.iter().filter(uses).count();
            if weight > 0 {
                sources.push((weight, cited));
            }
        }
        sources.sort_by_key(|(weight, cited)| {
            (Reverse(*weight), Reverse(cited.len()), cited.first().map(|citation| citation.marker))
        });
        sources.iter().filter_map(|(_, cited)| primary_source(cited)).collect()
    }
}

/// Returns whether a name is another one, or begins with its whole words. An article before either makes no difference.
fn begins_with_name(name: &str, beginning: &str) -> bool {
    let rest = without_article(name).strip_prefix(without_article(beginning));
    rest.is_some_and(|rest| !rest.starts_with(char::is_alphanumeric))
}

/// `guardian` of `the guardian`.
fn without_article(name: &str) -> &str {
    name.strip_prefix("the ").unwrap_or(name)
}

/// The source that these citations quote.
fn primary_source(cited: &[&Citation]) -> Option<PrimarySource> {
    let first = cited.first()?;
    let speaker = without_markers(first.speaker.as_deref()?.trim());
    let markers: String = cited.iter().map(|citation| format!("[{}]", citation.marker)).collect();
    let outlets: BTreeSet<String> = cited.iter().map(|citation| citation.source_name()).collect();
    let outlets = without_markers(&Vec::from_iter(outlets).join(", "));
    let content = without_markers(first.content.as_deref().unwrap_or(&first.quote));
    let draft = format!("Find and read the source that {} cites, {speaker}: {content}", without_markers(&first.source_name()));
    Some(PrimarySource { line: format!("{speaker} {markers}, through {outlets}"), draft })
}

pub(super) fn plural(count: usize, one: &str, many: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { many })
}

/// `J1, J2 and H3`.
pub(super) fn listed(ids: &[&str]) -> String {
    match ids {
        [others @ .., last] if !others.is_empty() => format!("{} and {last}", others.join(", ")),
        _ => ids.join(", "),
    }
}

#[cfg(test)]
mod tests;
