//! Grouping of stated strain into tensions: by subject and time, without I/O.

use crate::{
    store::{AlikeCandidate, KnownSubject, StrainBatch, UnsearchedDocument},
    taxonomy::{StatedStrain, Taxonomy},
    tension::{Evidence, EvidenceDay, Severity, Tension, TensionId, TensionOrigin, TensionState, day_number},
};
use domain::{CollectionId, DocumentId, EntityId, Timestamp, claim::Claim};
use feature::region::{Region, is_place};
use std::collections::{BTreeMap, HashMap};

/// Subject of a statement of strain: its kind, with the country and the entity that it is about, as far as they are known, else with
/// its document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Subject {
    /// The same for statements about the same.
    pub key: String,
    theme: String,
    kind: String,
    region: Region,
    /// Name of the entity.
    about: Option<String>,
}

impl Subject {
    pub fn new(strain: &StatedStrain<'_>, region: Region, about: Option<(EntityId, String)>, text_sha256: &str) -> Self {
        let place = match (&about, region.is_unknown()) {
            (Some((entity, _)), false) => format!("{}/e:{entity}", region.code),
            (None, false) => region.code.clone(),
            (Some((entity, _)), true) => format!("e:{entity}"),
            (None, true) => format!("d:{text_sha256}"),
        };
        let (theme, kind) = (strain.theme.to_owned(), strain.kind.code.clone());
        let about = about.map(|(_, name)| name);
        Self { key: format!("{kind}/{place}"), theme, kind, region, about }
    }
}

/// A claim that states or denies a strain.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    pub subject: Subject,
    pub evidence: Evidence,
    statement: String,
}

impl Finding {
    pub fn new(claim: &Claim, document: &UnsearchedDocument, strain: &StatedStrain<'_>, subject: Subject, today: i64) -> Self {
        let evidence = Evidence {
            claim: claim.id,
            document: claim.document_id,
            origin: document.text_sha256.clone(),
            is_against: strain.is_denied,
            severity: strain.kind.severity,
            day: counted_day(claim, document, today),
        };
        Self { subject, evidence, statement: claim.content.clone() }
    }
}

/// Returns the day for which a claim counts: the end of the stated event, else the publication, else the capture; never one to come.
/// The sample, an invented story of the future, counts as if its newest document were of today.
pub fn counted_day(claim: &Claim, document: &UnsearchedDocument, today: i64) -> EvidenceDay {
    let stated = EvidenceDay::stated_in(claim).unwrap_or_else(|| EvidenceDay::captured(claim.ingested_at));
    let newest = document.newest.filter(|_| document.is_sample).map_or(today, day_number);
    EvidenceDay { day: stated.day - (newest - today).max(0), ..stated }.until(today)
}

/// Words of one who reports strain and need not be part of it.
const REPORTING: [&str; 24] = [
    "say",
    "says",
    "said",
    "report",
    "reports",
    "reported",
    "according",
    "warn",
    "warns",
    "warned",
    "document",
    "documents",
    "documented",
    "describe",
    "describes",
    "described",
    "condemn",
    "condemns",
    "condemned",
    "writes",
    "wrote",
    "told",
    "claims",
    "claimed",
];

/// A tension that the findings begin.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewTension {
    id: TensionId,
    subject: Subject,
    /// Themes of its statements.
    themes: Vec<String>,
    /// The most severe, latest statement.
    lead: Statement,
    first_day: i64,
    last_day: i64,
}

/// A statement of strain with its severity and day.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Statement {
    text: String,
    severity: Severity,
    day: i64,
}

impl Statement {
    /// Takes the place of the other where it is more severe, or as severe and later.
    fn lead_over(self, other: &mut Self) {
        if (self.severity, self.day) > (other.severity, other.day) {
            *other = self;
        }
    }
}

impl NewTension {
    fn new(id: TensionId, subject: Subject, lead: Statement) -> Self {
        Self { id, themes: vec![subject.theme.clone()], subject, first_day: lead.day, last_day: lead.day, lead }
    }

    fn add(&mut self, theme: String, statement: Statement) {
        (self.first_day, self.last_day) = (self.first_day.min(statement.day), self.last_day.max(statement.day));
        self.themes.push(theme);
        statement.lead_over(&mut self.lead);
    }

    /// The theme of most statements, the first in the alphabet among equals.
    fn theme(&self) -> &str {
        let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
        for theme in &self.themes {
            *counts.entry(theme).or_default() += 1;
        }
        let most = counts.into_iter().rev().max_by_key(|(_, count)| *count);
        most.map_or(self.subject.theme.as_str(), |(theme, _)| theme)
    }

    pub const fn id(&self) -> TensionId {
        self.id
    }

    pub fn kind(&self) -> &str {
        &self.subject.kind
    }

    pub fn statement(&self) -> &str {
        &self.lead.text
    }

    /// Returns whether it may be a known tension of the same kind.
    pub fn may_be(&self, known: &AlikeCandidate, quiet_days: i64) -> bool {
        known.is_near(&self.subject.region.code, (self.first_day, self.last_day), quiet_days)
    }

    /// `Strike in Romania: Dockers' Union`, `Strike in Romania`, `Threat: Free Ebrin Front`, `Shortage`. The world is no place,
    /// and only a name that begins the statement stands in the title: others may be those who report it.
    pub fn title(&self) -> String {
        let kind = Taxonomy::shared().kind(&self.subject.kind).map_or(self.subject.kind.as_str(), |kind| kind.label.as_str());
        let has_place = is_place(&self.subject.region.code);
        let actor = self.subject.about.as_ref().filter(|about| is_actor(about, &self.lead.text));
        match (actor, has_place) {
            (Some(about), true) => format!("{kind} in {}: {about}", self.subject.region.label()),
            (None, true) => format!("{kind} in {}", self.subject.region.label()),
            (Some(about), false) => format!("{kind}: {about}"),
            (None, false) => kind.to_owned(),
        }
    }

    fn tension(self, collection: CollectionId, confidence: f64, now: Timestamp) -> Tension {
        let theme = self.theme().to_owned();
        Tension {
            id: self.id,
            collection,
            origin: TensionOrigin::Extraction,
            title: self.title(),
            theme,
            kind: self.subject.kind,
            statement: self.lead.text,
            region: self.subject.region,
            severity: self.lead.severity,
            confidence,
            state: TensionState::Active,
            first_day: self.first_day,
            last_day: self.last_day,
            cause_heat: 0.0,
            response_scouted_at: None,
            created_at: now,
        }
    }
}

/// Returns whether a statement begins with a name that does not report it.
fn is_actor(name: &str, statement: &str) -> bool {
    let text = statement.trim_start();
    let text = text.strip_prefix("The ").unwrap_or(text);
    let Some(rest) = text.strip_prefix(name.strip_prefix("The ").unwrap_or(name)) else { return false };
    if !rest.starts_with(' ') {
        return false;
    }
    let lower = rest.to_lowercase();
    !lower.split(|letter: char| !letter.is_alphabetic()).any(|word| REPORTING.contains(&word))
}

/// Assignment of findings to tensions that are known or begin.
#[derive(Debug)]
pub struct Grouping {
    /// By subject: tensions with the days of their evidence.
    known: BTreeMap<String, Vec<(TensionId, i64, i64)>>,
    /// Days without evidence after which a new tension begins.
    quiet_days: i64,
    new: Vec<NewTension>,
    evidence: Vec<(TensionId, Evidence)>,
}

impl Grouping {
    pub fn new(subjects: Vec<KnownSubject>, quiet_days: i64) -> Self {
        let mut known: BTreeMap<String, Vec<(TensionId, i64, i64)>> = BTreeMap::new();
        for KnownSubject { subject, tension, first_day, last_day } in subjects {
            known.entry(subject).or_default().push((tension, first_day, last_day));
        }
        Self { known, quiet_days, new: vec![], evidence: vec![] }
    }

    /// Assigns findings by their days, strain before denials, which begin no tension.
    pub fn add_all(&mut self, mut findings: Vec<Finding>, mut next_id: impl FnMut() -> TensionId) {
        findings.sort_by(|one, other| {
            let order = |finding: &Finding| (finding.evidence.is_against, finding.evidence.day.day);
            order(one).cmp(&order(other)).then_with(|| one.statement.cmp(&other.statement))
        });
        for Finding { subject, evidence, statement } in findings {
            let day = evidence.day.day;
            let (theme, statement) = (subject.theme.clone(), Statement { text: statement, severity: evidence.severity, day });
            let tensions = self.known.entry(subject.key.clone()).or_default();
            let near = |(_, first, last): &&mut (TensionId, i64, i64)| {
                (*first - self.quiet_days..=*last + self.quiet_days).contains(&day)
            };
            let id = match tensions.iter_mut().find(near) {
                Some((id, first, last)) => {
                    let id = *id;
                    if !evidence.is_against {
                        (*first, *last) = ((*first).min(day), (*last).max(day));
                        if let Some(new) = self.new.iter_mut().find(|new| new.id == id) {
                            new.add(theme, statement);
                        }
                    }
                    id
                }
                None if evidence.is_against => continue,
                None => {
                    let id = next_id();
                    tensions.push((id, day, day));
                    self.new.push(NewTension::new(id, subject, statement));
                    id
                }
            };
            self.evidence.push((id, evidence));
        }
    }

    pub fn new_tensions(&self) -> impl Iterator<Item = &NewTension> {
        self.new.iter()
    }

    /// Returns what to store. A new tension that is `alike` a known one becomes evidence and a subject of that.
    pub fn into_batch(
        self,
        documents: Vec<DocumentId>,
        alike: &HashMap<TensionId, TensionId>,
        collection: CollectionId,
        confidence: f64,
        now: Timestamp,
    ) -> StrainBatch {
        let survivor = |id: TensionId| alike.get(&id).copied().unwrap_or(id);
        let subjects = self.new.iter().map(|new| (survivor(new.id), new.subject.key.clone())).collect();
        let is_new = |new: &NewTension| !alike.contains_key(&new.id);
        let tensions = self.new.into_iter().filter(is_new).map(|new| new.tension(collection, confidence, now)).collect();
        let evidence = self.evidence.into_iter().map(|(id, evidence)| (survivor(id), evidence)).collect();
        StrainBatch { documents, tensions, subjects, evidence, ..StrainBatch::default() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use domain::{
        ClaimId, DateRange, Precision, PublicationDate, PublishedBasis,
        claim::{Attribution, Information, Mode, Span},
    };
    use feature::region::{NOWHERE, Regions};
    use testkit::id;

    fn claim(content: &str, published: Option<&str>) -> Claim {
        Claim {
            id: ClaimId(id()),
            document_id: DocumentId(id()),
            collection_id: CollectionId(id()),
            content: content.into(),
            quote: content.into(),
            span: Span { start: 0, end: 1 },
            published: published.map(|day| PublicationDate {
                value: Timestamp::parse(day).unwrap(),
                precision: Precision::Day,
                basis: PublishedBasis::Stated,
            }),
            occurred: None,
            ingested_at: Timestamp::parse("2026-11-28").unwrap(),
            attribution: Attribution::Primary,
            information: Information::Assertion,
            speaker: None,
            mode: Mode::Asserted,
            language: None,
            content_hash: content.into(),
            outlet_id: None,
            entity_ids: vec![],
        }
    }

    fn document(claim: &Claim, newest: Option<&str>) -> UnsearchedDocument {
        UnsearchedDocument {
            id: claim.document_id,
            collection: claim.collection_id,
            is_sample: newest.is_some(),
            text_sha256: claim.content.clone(),
            newest: newest.map(|day| Timestamp::parse(day).unwrap()),
        }
    }

    fn finding(content: &str, published: &str) -> Finding {
        finding_about(content, published, None)
    }

    fn finding_about(content: &str, published: &str, about: Option<(EntityId, String)>) -> Finding {
        let claim = claim(content, Some(published));
        let strain = Taxonomy::shared().read(&claim.content, claim.mode).expect("a strain");
        let regions = Regions::shared();
        let region = regions.common(regions.countries_in(content));
        let subject = Subject::new(&strain, region, about, content);
        Finding::new(&claim, &document(&claim, None), &strain, subject, day("2026-11-28"))
    }

    fn day(text: &str) -> i64 {
        day_number(Timestamp::parse(text).unwrap())
    }

    fn grouped(known: Vec<KnownSubject>, findings: Vec<Finding>) -> Grouping {
        let mut grouping = Grouping::new(known, 90);
        grouping.add_all(findings, || TensionId(id()));
        grouping
    }

    #[test]
    fn statements_about_the_same_place_and_kind_are_one_tension() {
        let grouping = grouped(
            vec![],
            vec![
                finding("Dockers in Romania walked out.", "2026-11-20"),
                finding("Teachers in Romania are on strike over their jobs.", "2026-11-10"),
                finding("Dockers in France walked out.", "2026-11-20"),
                finding("Dockers in Romania went on strike.", "2026-01-05"),
                finding("There is no strike by dockers in Romania.", "2026-11-21"),
                finding("There is no strike by dockers in Greece.", "2026-11-21"),
            ],
        );
        let mut titles: Vec<(String, i64)> = grouping.new_tensions().map(|new| (new.title(), new.first_day)).collect();
        titles.sort();
        let expected = [
            ("Strike in France".to_owned(), day("2026-11-20")),
            ("Strike in Romania".to_owned(), day("2026-01-05")),
            ("Strike in Romania".to_owned(), day("2026-11-10")),
        ];
        assert_eq!(titles, expected, "one per place, and a new one after a quiet time; a denial alone begins none");
        assert_eq!(grouping.evidence.len(), 5);
        assert_eq!(grouping.evidence.iter().filter(|(_, one)| one.is_against).count(), 1);
    }

    #[test]
    fn two_strikes_in_a_country_about_two_entities_are_two_tensions() {
        let (union, school) = ((EntityId(id()), "Dockers' Union".to_owned()), (EntityId(id()), "Ovidiu School".to_owned()));
        let grouping = grouped(
            vec![],
            vec![
                finding_about("Dockers' Union in Romania walked out.", "2026-11-20", Some(union.clone())),
                finding_about("Dockers in Romania went on strike.", "2026-11-19", Some(union)),
                finding_about("Nurses in Romania are on strike.", "2026-11-21", Some(school)),
            ],
        );
        let titles: Vec<String> = grouping.new_tensions().map(NewTension::title).collect();
        assert_eq!(titles, ["Strike in Romania: Dockers' Union", "Strike in Romania"]);
    }

    #[test]
    fn one_who_reports_strain_is_no_actor() {
        assert!(is_actor("Dockers' Union", "The Dockers' Union went on strike."));
        assert!(!is_actor("Amnesty", "Amnesty said that dockers are on strike."));
        assert!(!is_actor("Amnesty", "Dockers are on strike, according to Amnesty."));
        assert!(!is_actor("Amnesty", "Amnestygate led to a strike."));
    }

    #[test]
    fn evidence_joins_a_known_tension_of_its_subject_or_an_alike_one() {
        let first = finding("Dockers in Romania walked out.", "2026-11-20");
        let known = TensionId(id());
        let subject = KnownSubject {
            subject: first.subject.key.clone(),
            tension: known,
            first_day: day("2026-10-01"),
            last_day: day("2026-10-01"),
        };
        let other = finding("The nurses are on strike at hospitals.", "2026-11-21");
        let grouping = grouped(vec![subject], vec![first, other]);
        let new: Vec<TensionId> = grouping.new_tensions().map(NewTension::id).collect();
        let now = Timestamp::parse("2026-11-28").unwrap();
        let alike = HashMap::from([(new[0], known)]);
        let batch = grouping.into_batch(vec![], &alike, CollectionId(id()), 0.5, now);
        assert_eq!((batch.tensions.len(), batch.subjects.len()), (0, 1));
        assert!(batch.evidence.iter().all(|(tension, _)| *tension == known));
    }

    #[test]
    fn a_new_tension_may_be_a_known_one_of_its_place_and_time_only() {
        let known = |region: &str, days: (&str, &str)| AlikeCandidate {
            id: TensionId(id()),
            region: region.to_owned(),
            first_day: day(days.0),
            last_day: day(days.1),
            vector: vec![],
        };
        let (recent, old) = (("2026-10-01", "2026-10-20"), ("2026-01-01", "2026-02-01"));
        let may_be = |content: &str, known: AlikeCandidate| {
            let grouping = grouped(vec![], vec![finding(content, "2026-11-20")]);
            let new = grouping.new_tensions().next().expect("a new tension").clone();
            new.may_be(&known, 90)
        };
        let (french, nowhere) = ("Nurses in France are on strike.", "Nurses are on strike.");
        assert!(may_be(french, known("250", recent)) && may_be(french, known(NOWHERE, recent)));
        assert!(may_be(nowhere, known("642", recent)));
        assert!(!may_be(french, known("642", recent)), "another country");
        assert!(!may_be(french, known("250", old)), "an old episode");
    }

    #[test]
    fn one_strike_is_one_tension_led_by_its_latest_statement() {
        let findings = vec![
            finding("Nurses in France are on strike at hospitals.", "2026-11-10"),
            finding("Workers in France are on strike over pay.", "2026-11-20"),
            finding("Drivers in France are on strike over wages.", "2026-11-15"),
        ];
        let grouping = grouped(vec![], findings);
        let new: Vec<(&str, &str, i64, i64)> =
            grouping.new_tensions().map(|new| (new.theme(), new.statement(), new.first_day, new.last_day)).collect();
        let expected = ("work", "Workers in France are on strike over pay.", day("2026-11-10"), day("2026-11-20"));
        assert_eq!(new, [expected], "words of two themes are no two strikes");
    }

    #[test]
    fn the_sample_counts_as_if_its_newest_document_were_of_today() {
        let today = day("2026-11-28");
        let one = claim("x", Some("2031-03-12"));
        assert_eq!(counted_day(&one, &document(&one, Some("2031-04-02")), today), EvidenceDay::dated(day("2026-11-07")));
        assert_eq!(
            counted_day(&one, &document(&one, None), today),
            EvidenceDay::dated(today),
            "a date to come counts as today"
        );
    }

    #[test]
    fn a_claim_without_a_date_counts_for_its_capture_and_says_so() {
        let today = day("2026-11-30");
        let undated = claim("x", None);
        let captured = EvidenceDay { day: day("2026-11-28"), is_undated: true };
        assert_eq!(counted_day(&undated, &document(&undated, None), today), captured);
        let at = Timestamp::parse("2026-11-02").unwrap();
        let occurred = DateRange { from: at, to: at, precision: Precision::Day, to_precision: None };
        let of_event = Claim { occurred: Some(occurred), ..undated };
        let counted = counted_day(&of_event, &document(&of_event, None), today);
        assert_eq!(counted, EvidenceDay::dated(day("2026-11-02")), "the event of a document without a date has one");
    }
}
