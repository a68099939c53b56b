//! Basis of an assessment: shares of its citations, sources that alone carry a part of it, texts on both sides of an answer, and
//! sources that are known through others only. The program counts; it changes no probability.
//!
//! Cost: each citation is in one source of each kind, so all sources are left out in citations × hypotheses steps.

use super::{Assessment, Body, Citation, Hypothesis, Marker, MatrixRow, recount, without_markers};
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

/// The sentence on the basis that a reader needs first; none where nothing is judged or cited.
///
/// Rule: of all pages, the one that changes most when it is left out. Two changes count: a judgement or leading answer loses all
/// its citations, and the leading answer no longer has the least evidence rated against it. Without such a page, the same holds
/// for texts on several pages, then for outlets. Without any, the sentence says so and names the largest share of the citations.
pub fn sharpest_line(assessment: &Assessment) -> Option<String> {
    if !assessment.kind.is_assessment() {
        return None;
    }
    let evidence = EvidenceBase::new(assessment);
    let kinds = [SourceKind::Page, SourceKind::Text, SourceKind::Outlet].map(|kind| evidence.sources(kind));
    // Sources stand with the largest first, and the last of equals would win.
    let weightiest = |sources: &Vec<Source<'_>>| {
        let sources = sources.iter().rev().filter(|source| source.weight() > 0);
        sources.max_by_key(|source| source.weight()).map(|source| evidence.dependence(source))
    };
    kinds.iter().find_map(weightiest).or_else(|| {
        let [pages, _, outlets] = &kinds;
        let largest = outlets.first().or(pages.first()).filter(|_| !evidence.parts.is_empty())?;
        let largest = evidence.dependence(largest);
        Some(format!("No judgement and no leading answer has one page or outlet as its only support; {largest}"))
    })
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
    /// `2 texts for it, 1 against it, disputed in 3`.
    pub fn sentence(&self) -> String {
        let sides = format!("{} for it, {} against it", plural(self.supporting, "text", "texts"), self.against);
        if self.disputed.is_empty() { sides } else { format!("{sides}, disputed in {}", self.disputed.len()) }
    }
}

impl Hypothesis {
    /// Counts the texts on each side of it.
    pub fn sides(&self, citations: &[Citation]) -> Sides {
        let (supporting, against) = (texts(citations, &self.supporting), texts(citations, &self.against));
        let disputed = supporting.iter().filter(|(text, _)| against.contains_key(**text));
        let mut disputed: Vec<Marker> = disputed.map(|(_, marker)| *marker).collect();
        disputed.sort_unstable();
        Sides { supporting: supporting.len() - disputed.len(), against: against.len() - disputed.len(), disputed }
    }
}

/// The texts that these citations stand in, each with its first citation.
fn texts<'a>(citations: &'a [Citation], markers: &[Marker]) -> BTreeMap<&'a str, Marker> {
    let mut texts = BTreeMap::new();
    for citation in citations.iter().filter(|citation| markers.contains(&citation.marker)) {
        texts.entry(citation.origin_key()).or_insert(citation.marker);
    }
    texts
}

/// Names of those who speak in these citations, besides their outlets, in lower case.
pub fn speakers<'a>(citations: impl IntoIterator<Item = &'a Citation>) -> BTreeSet<String> {
    let named = citations.into_iter().filter_map(|citation| {
        let speaker = citation.speaker.as_deref()?.trim().to_lowercase();
        (!speaker.is_empty() && speaker != citation.source_name().to_lowercase()).then_some(speaker)
    });
    named.collect()
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
}

impl SourceKind {
    const ALL: [Self; 4] = [Self::Claim, Self::Page, Self::Text, Self::Outlet];

    fn key(self, citation: &Citation) -> String {
        match self {
            Self::Claim => citation.claim_id.to_string(),
            Self::Page => citation.document_id.to_string(),
            Self::Text => citation.origin_key().to_owned(),
            Self::Outlet => citation.source_name().to_lowercase(),
        }
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

    fn weight(&self) -> usize {
        self.carried.len() + self.overtaken.len()
    }

    /// `one page of Tessin Courier [1]`.
    fn phrase(&self) -> String {
        let (name, marker) = (without_markers(&self.name), self.first());
        match self.kind {
            SourceKind::Claim => format!("one claim of {name} [{marker}]"),
            SourceKind::Page => format!("one page of {name} [{marker}]"),
            SourceKind::Text => format!("one text on {} pages [{marker}]", self.pages),
            SourceKind::Outlet => format!("the outlet {name} [{marker}]"),
        }
    }

    fn overtaken_in_words(&self) -> Option<String> {
        let overtaken = self.overtaken.iter();
        let words = overtaken.map(|(lead, rival)| format!("{lead} no longer has less evidence rated against it than {rival}"));
        let words: Vec<String> = words.collect();
        (!words.is_empty()).then(|| words.join(", and "))
    }
}

/// A judgement or a leading answer, with what is cited for it.
struct Part<'a> {
    id: &'a str,
    markers: BTreeSet<Marker>,
}

/// Evidence against the answers to one question: rows of the matrix that the author rated inconsistent or very inconsistent with
/// each, as a recount shows them. The order holds while the leading answer has fewer than every rival (after Heuer).
struct Order<'a> {
    lead: &'a str,
    against: BTreeMap<&'a str, usize>,
    /// Answers that the rows of a citation speak against.
    rows: BTreeMap<Marker, Vec<&'a str>>,
}

impl<'a> Order<'a> {
    /// Returns none where no answer leads or there is no rival.
    fn new(answers: &[&'a Hypothesis], matrix: &'a [MatrixRow]) -> Option<Self> {
        let lead = leading(answers)?;
        let real = answers.iter().filter(|answer| !answer.is_none);
        let mut against: BTreeMap<&'a str, usize> = real.map(|answer| (answer.id.as_str(), 0)).collect();
        let mut rows: BTreeMap<Marker, Vec<&'a str>> = BTreeMap::new();
        for row in matrix {
            for (id, _) in row.ratings.iter().filter(|(_, rating)| recount::is_against(**rating)) {
                if let Some(count) = against.get_mut(id.as_str()) {
                    *count += 1;
                    rows.entry(row.citation).or_default().push(id.as_str());
                }
            }
        }
        (against.len() > 1).then_some(Self { lead: lead.id.as_str(), against, rows })
    }

    /// The rival with the least evidence against it, where that is no more than there is against the leading answer.
    fn rival(&self, against: &BTreeMap<&'a str, usize>) -> Option<&'a str> {
        let lead = against.get(self.lead).copied().unwrap_or_default();
        let rivals = against.iter().filter(|(id, count)| **id != self.lead && **count <= lead);
        rivals.min_by_key(|(_, count)| **count).map(|(id, _)| *id)
    }

    /// The rival that overtakes the leading answer, or draws level, without some citations; none where it leads by no evidence.
    fn rival_without(&self, markers: &BTreeSet<Marker>) -> Option<&'a str> {
        if self.rival(&self.against).is_some() {
            return None;
        }
        let mut against = self.against.clone();
        for id in markers.iter().filter_map(|marker| self.rows.get(marker)).flatten() {
            if let Some(count) = against.get_mut(*id) {
                *count = count.saturating_sub(1);
            }
        }
        self.rival(&against)
    }

    /// The sentence for a matrix that speaks more against the likeliest answer than against a rival.
    fn contradiction(&self) -> Option<String> {
        let rival = self.rival(&self.against)?;
        let count = |id: &str| self.against.get(id).copied().unwrap_or_default();
        let (lead, other) = (count(self.lead), count(rival));
        let (name, rows) = (self.lead, plural(lead, "row", "rows"));
        let text =
            format!("{name} is judged likeliest, but the matrix has more against it ({rows}) than against {rival} ({other}).");
        (other < lead).then_some(text)
    }
}

/// The answer that the author finds likeliest; none where that is "none of these", or where two are level.
fn leading<'a>(answers: &[&'a Hypothesis]) -> Option<&'a Hypothesis> {
    fn probability(answer: &Hypothesis) -> f64 {
        answer.probability.unwrap_or_default()
    }
    let lead = answers.iter().copied().max_by(|one, other| probability(one).total_cmp(&probability(other)))?;
    let level = answers.iter().filter(|answer| probability(answer) >= probability(lead)).count();
    (level == 1 && !lead.is_none && lead.probability.is_some()).then_some(lead)
}

/// Citations of an assessment, and the parts and orders that rest on them.
struct EvidenceBase<'a> {
    citations: &'a [Citation],
    parts: Vec<Part<'a>>,
    orders: Vec<Order<'a>>,
}

impl<'a> EvidenceBase<'a> {
    fn new(assessment: &'a Assessment) -> Self {
        let (body, known) = (&assessment.body, assessment.markers());
        let sets = body.hypothesis_sets();
        let judgements = body.key_judgements.iter().map(|one| Part { id: one.id.as_str(), markers: one.cited() });
        let leaders = sets.iter().filter_map(|(_, answers)| leading(answers));
        let leaders = leaders.map(|one| Part { id: one.id.as_str(), markers: one.supporting.iter().copied().collect() });
        let mut parts: Vec<Part<'a>> = judgements.chain(leaders).collect();
        for part in &mut parts {
            part.markers.retain(|marker| known.contains(marker));
        }
        parts.retain(|part| !part.markers.is_empty());
        let orders = sets.iter().filter_map(|(_, answers)| Order::new(answers, &body.evidence_matrix));
        Self { citations: &assessment.citations, parts, orders: orders.collect() }
    }

    /// Returns the sources of a kind, the largest first.
    fn sources(&self, kind: SourceKind) -> Vec<Source<'a>> {
        let mut groups: BTreeMap<String, Vec<&'a Citation>> = BTreeMap::new();
        let mut keys: BTreeMap<Marker, String> = BTreeMap::new();
        for citation in self.citations {
            let key = kind.key(citation);
            keys.insert(citation.marker, key.clone());
            groups.entry(key).or_default().push(citation);
        }
        let mut carried: BTreeMap<&str, Vec<&'a str>> = BTreeMap::new();
        for part in &self.parts {
            let cited: BTreeSet<&str> = part.markers.iter().filter_map(|marker| keys.get(marker)).map(String::as_str).collect();
            if let (1, Some(key)) = (cited.len(), cited.first()) {
                carried.entry(*key).or_default().push(part.id);
            }
        }
        let mut sources: Vec<Source<'a>> = vec![];
        for (key, cited) in &groups {
            sources.push(self.source(kind, cited, carried.remove(key.as_str()).unwrap_or_default()));
        }
        if matches!(kind, SourceKind::Text | SourceKind::Outlet) {
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
        Source {
            kind,
            name: first.map(Citation::source_name).unwrap_or_default(),
            pages: pages.len(),
            speakers: speakers(cited.iter().copied()).len(),
            carried,
            overtaken: overtaken.collect(),
            markers,
        }
    }

    /// `9 of 37 citations`.
    fn share(&self, source: &Source<'_>) -> String {
        format!("{} of {}", source.markers.len(), plural(self.citations.len(), "citation", "citations"))
    }

    /// The sentence on all that changes without a source.
    fn dependence(&self, source: &Source<'_>) -> String {
        let carried = match source.carried.as_slice() {
            [] => String::new(),
            ids => format!(", and all that is cited for {},", listed(ids)),
        };
        let verb = if source.markers.len() == 1 { "is" } else { "are" };
        let without = source.overtaken_in_words().map(|words| format!("; without it, {words}")).unwrap_or_default();
        format!("{}{carried} {verb} from {}{without}.", self.share(source), source.phrase())
    }

    fn lines(&self, body: &Body) -> Vec<String> {
        let kinds = SourceKind::ALL.map(|kind| self.sources(kind));
        let mut lines = self.share_lines(&kinds);
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
        for answer in body.hypotheses.iter().filter(|answer| !answer.is_none) {
            let disputed = answer.sides(self.citations).disputed;
            let markers: String = disputed.iter().map(|marker| format!("[{marker}]")).collect();
            if !disputed.is_empty() {
                let texts = plural(disputed.len(), "text", "texts");
                lines.push(format!("{} is disputed in {texts}: cited for it and against it {markers}.", answer.id));
            }
        }
        lines
    }

    /// Returns the largest page, text and outlet, where each has several citations.
    fn share_lines(&self, [_, pages, texts, outlets]: &[Vec<Source<'a>>; 4]) -> Vec<String> {
        let largest = [pages, texts, outlets].into_iter().filter_map(|sources| sources.first());
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
        let mut read = speakers(first_hand.iter().copied());
        read.extend(first_hand.iter().map(|citation| citation.source_name().to_lowercase()));
        let mut groups: BTreeMap<String, Vec<&Citation>> = BTreeMap::new();
        for citation in self.citations.iter().filter(|citation| citation.attribution == Attribution::Secondhand) {
            for speaker in speakers([citation]) {
                groups.entry(speaker).or_default().push(citation);
            }
        }
        // "Halvek Rail" is read where an outlet is the "Halvek Rail Newsroom".
        groups.retain(|speaker, _| !read.iter().any(|name| name.contains(speaker.as_str())));
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
mod tests {
    use super::*;

    fn complete() -> Assessment {
        serde_json::from_str(include_str!("tests/complete.json")).unwrap()
    }

    #[test]
    fn the_basis_of_a_report_is_counted_as_by_hand() {
        let assessment = complete();
        // [1] and [3] are of one page. H1 cites [1], J2 and H4 cite [3], whose row is the only one against H5.
        assert_eq!(
            sharpest_line(&assessment).unwrap(),
            "2 of 3 citations, and all that is cited for J2, H1 and H4, are from one page of Tessin Courier [1]; without it, \
             H4 no longer has less evidence rated against it than H5."
        );
        let Basis { lines, primary_sources } = Basis::new(&assessment);
        assert_eq!(
            lines,
            [
                "2 of 3 citations are from one page of Tessin Courier [1], which quotes 2 speakers.",
                "Nothing but one claim of Tessin Courier [1] is cited for H1.",
                "Nothing but one claim of Tessin Courier [3] is cited for J2 and H4.",
                "Without one claim of Tessin Courier [3], H4 no longer has less evidence rated against it than H5.",
            ]
        );
        assert_eq!(primary_sources.len(), 1, "[1] is first-hand, and [2] names no speaker");
        assert_eq!(primary_sources[0].line, "harbour office [3], through Tessin Courier");
        assert!(primary_sources[0].draft.starts_with("Find and read the source that Tessin Courier cites, harbour office: "));
    }

    #[test]
    fn a_text_on_both_sides_is_disputed_and_counts_on_neither() {
        let mut assessment = complete();
        assessment.body.hypotheses[0].against = vec![2, 3];
        let sides = assessment.body.hypotheses[0].sides(&assessment.citations);
        assert_eq!(sides, Sides { supporting: 0, against: 1, disputed: vec![1] });
        assert_eq!(sides.sentence(), "0 texts for it, 1 against it, disputed in 1");
        let lines = Basis::new(&assessment).lines;
        assert_eq!(lines.last().unwrap(), "H1 is disputed in 1 text: cited for it and against it [1].");
    }

    #[test]
    fn copies_of_one_text_are_one_source_and_a_matrix_against_the_likeliest_answer_is_named() {
        let mut assessment = complete();
        assessment.citations[1].origin = assessment.citations[0].origin.clone();
        assessment.body.evidence_matrix[0].ratings.insert("H1".into(), crate::assessment::Rating::II);
        let lines = Basis::new(&assessment).lines;
        for line in [
            "3 of 3 citations are from one text on 2 pages [1].",
            "Nothing but one text on 2 pages [1] is cited for J1.",
            "H1 is judged likeliest, but the matrix has more against it (1 row) than against H2 (0).",
        ] {
            assert!(lines.iter().any(|one| one == line), "{line}: {lines:#?}");
        }
    }

    #[test]
    fn a_report_without_a_single_support_says_so_and_one_without_citations_says_nothing() {
        let mut assessment = complete();
        for judgement in &mut assessment.body.key_judgements {
            judgement.citations = vec![1, 2];
        }
        for hypothesis in &mut assessment.body.hypotheses {
            hypothesis.supporting = vec![2, 3];
        }
        assessment.body.evidence_matrix.clear();
        assert_eq!(
            sharpest_line(&assessment).unwrap(),
            "No judgement and no leading answer has one page or outlet as its only support; 2 of 3 citations are from \
             one page of Tessin Courier [1]."
        );
        assessment.citations.clear();
        assert_eq!((sharpest_line(&assessment), Basis::new(&assessment)), (None, Basis::default()));
    }
}
