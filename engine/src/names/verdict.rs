//! Score and verdict from an alignment.
//!
//! Invariant: `Same` requires a partner of equal or listed spelling for every word, no contradiction, and at least two full names
//! for a person. Of differing letters only one slip in a long word is allowed, and of missing words few middle names or initials, no
//! more than the other name has uncommon words; both are loose. A first or last name is never missing: "Khalid Omar Halvek" is the
//! father of "Ahmad Khalid Omar Halvek".

use super::align::{Alignment, Grade, Pair, align};
use super::key::{NameKey, Token, TokenKind};
use super::order::{WordOrder, has_moved_particle, leads_with_office, leads_with_surname, order};
use super::{NameConfig, NameKind, NameMatch, Verdict};
use domain::entity::Review;

/// Length bounds for weighing differing letters: slips in long names weigh as in ordinary ones.
const EDIT_LENGTH: (f32, f32) = (8.0, 12.0);
/// Cost of matching a single name with a person of several names.
const ONE_NAME_COST: f32 = 0.45;
/// Cost of a single name with a title ("President Erdem").
const TITLED_NAME_COST: f32 = 0.28;
const ORDER_COST: f32 = 0.05;
const ONE_NAME: &str = "spellings of one name";
/// Minimum letters of organisations' names that differ in spaces only.
const RESPACED_LETTERS: usize = 3;
/// "Khalid bin Salman" is the father or the son of "Salman bin Khalid".
const DESCENT_COST: f32 = 0.35;
const LEGAL_CLASS_COST: f32 = 0.1;
const ACRONYM_SCORE: f32 = 0.75;
const MAX_ACRONYM: usize = 10;
/// Maximum number of middle names that one side may lack.
const MISSING_NAMES: usize = 2;
/// Minimum letters of an organisation's word for a slip in it, which sounds the same: ordinary words are alike ("Martial", "Marital").
const ORGANISATION_LETTERS: f32 = 10.0;
/// Minimum letters of the whole word beside a slip.
const EVIDENCE_LETTERS: f32 = 4.0;

/// Both names with their alignment. `a <= b`, so the result is symmetric.
struct NamePairCase<'a> {
    a: &'a NameKey,
    b: &'a NameKey,
    kind: Option<NameKind>,
    config: &'a NameConfig,
    alignment: Alignment,
    order: WordOrder,
    /// Words of several letters, and numbers, that have a partner of any grade.
    words: usize,
    /// Words whose partner is equal, a variant or a slip.
    whole: usize,
}

pub fn judge(a: &NameKey, b: &NameKey, kind: Option<NameKind>, config: &NameConfig) -> NameMatch {
    if a.is_empty() || b.is_empty() {
        return NameMatch { score: 0.0, verdict: Verdict::Different, why: "a name without a letter", is_loose: false };
    }
    if a.folded == b.folded && a.native_letters().eq(b.native_letters()) {
        return NameMatch { score: 1.0, verdict: Verdict::Same, why: Review::SAME_NAME, is_loose: false };
    }
    let legal = !a.legal.is_empty() || !b.legal.is_empty();
    let kind = if kind.is_none() && legal { Some(NameKind::Organisation) } else { kind };
    let least = if kind == Some(NameKind::Place) { 2 } else { 3 };
    if kind != Some(NameKind::Person)
        && let Some(found) = acronym(a, b, config, least).or_else(|| acronym(b, a, config, least))
    {
        return found;
    }
    if kind == Some(NameKind::Organisation) && is_respaced(a, b) {
        return NameMatch { score: 1.0, verdict: Verdict::Same, why: ONE_NAME, is_loose: false };
    }
    let alignment = align(&a.tokens, &b.tokens, config);
    let case = NamePairCase::new(a, b, kind, config, alignment);
    let score = case.score().clamp(0.0, 1.0);
    let (verdict, why) = case.verdict(score);
    NameMatch { score, verdict, why, is_loose: verdict == Verdict::Same && case.is_loose() }
}

impl<'a> NamePairCase<'a> {
    fn new(a: &'a NameKey, b: &'a NameKey, kind: Option<NameKind>, config: &'a NameConfig, alignment: Alignment) -> Self {
        let named = |token: &Token| matches!(token.kind, TokenKind::Word | TokenKind::Number | TokenKind::Title);
        let counted = |pair: &&Pair| pair.grade != Grade::Initial && (named(&a.tokens[pair.a.0]) || named(&b.tokens[pair.b.0]));
        let size = |pair: &Pair| pair.a.1.max(pair.b.1);
        let words = alignment.pairs.iter().filter(counted).map(size).sum();
        let is_whole = |pair: &&Pair| pair.grade <= Grade::Variant || pair.grade == Grade::Slip;
        let whole = alignment.pairs.iter().filter(counted).filter(is_whole).map(size).sum();
        let order = order(a, b, &alignment);
        Self { a, b, kind, config, alignment, order, words, whole }
    }

    fn is_person(&self) -> bool {
        self.kind == Some(NameKind::Person)
    }

    /// Returns the weight of an unmatched word, in letters.
    fn weight(&self, token: &Token) -> f32 {
        let share = match token.kind {
            TokenKind::Word | TokenKind::Number | TokenKind::Initial => 1.0,
            TokenKind::Title if matches!(self.kind, Some(NameKind::Organisation | NameKind::Place)) => 1.0,
            TokenKind::Title => 0.0,
            TokenKind::Particle(_) => 0.3,
            TokenKind::Link => 0.1,
        };
        share * token.text.len() as f32
    }

    fn score(&self) -> f32 {
        let pairs = &self.alignment.pairs;
        let matched: f32 = pairs.iter().map(|pair| pair.len).sum();
        let differing: f32 = pairs.iter().map(|pair| pair.edits).sum();
        let left = |key: &NameKey, left: &[usize]| -> f32 { left.iter().map(|&i| self.weight(&key.tokens[i])).sum() };
        let (left_a, left_b) = (left(self.a, &self.alignment.left_a), left(self.b, &self.alignment.left_b));
        if self.words == 0 {
            return 0.0;
        }
        // A single-word name has no other evidence.
        let least = if self.words == 1 { 1.0 } else { EDIT_LENGTH.0 };
        let conflict = left_a.min(left_b);
        let mut score = 1.0;
        score -= self.config.edit_cost * differing / matched.clamp(least, EDIT_LENGTH.1);
        if conflict > 0.0 {
            let share = self.config.conflict_cost * conflict / (matched + conflict);
            let least = if self.words_contradict() { self.config.contradiction_cost } else { 0.0 };
            score -= share.max(least);
        }
        score -= self.extra_cost((left_a - left_b).abs(), matched);
        score -= self.order_cost();
        if self.legal_classes_differ() {
            score -= LEGAL_CLASS_COST;
        }
        score
    }

    /// Returns whether both names have different words in the same position.
    fn words_contradict(&self) -> bool {
        let named = |key: &NameKey, left: &[usize]| {
            left.iter().any(|&i| matches!(key.tokens[i].kind, TokenKind::Word | TokenKind::Initial))
        };
        named(self.a, &self.alignment.left_a) && named(self.b, &self.alignment.left_b)
    }

    /// Returns the cost of words on one side only.
    fn extra_cost(&self, letters: f32, matched: f32) -> f32 {
        if matches!(self.kind, Some(NameKind::Organisation | NameKind::Place)) {
            return self.config.extra_cost * letters / (matched + letters);
        }
        let (count_a, count_b) = (names_of_person(self.a), names_of_person(self.b));
        if count_a == count_b || letters == 0.0 {
            return 0.0;
        }
        let (short, count) = if count_a < count_b { (self.a, count_a) } else { (self.b, count_b) };
        if count > 1 || self.words > 1 {
            return self.config.person_extra_cost * count_a.abs_diff(count_b) as f32;
        }
        let titled = short.tokens.iter().any(|token| token.kind == TokenKind::Title);
        if titled { TITLED_NAME_COST } else { ONE_NAME_COST }
    }

    fn order_cost(&self) -> f32 {
        let descent =
            |key: &NameKey| key.tokens.iter().any(|token| token.text == "bin" || token.text == "ibn" || token.text == "ben");
        match self.order {
            WordOrder::Straight | WordOrder::Declared => 0.0,
            WordOrder::Shuffled if self.kind != Some(NameKind::Organisation) && descent(self.a) && descent(self.b) => {
                DESCENT_COST
            }
            WordOrder::Turned | WordOrder::Shuffled => ORDER_COST,
        }
    }

    fn verdict(&self, score: f32) -> (Verdict, &'static str) {
        let digits_differ = self.a.digits != self.b.digits;
        if digits_differ && !self.a.digits.is_empty() && !self.b.digits.is_empty() {
            return (Verdict::Different, "the numbers differ");
        }
        if self.a.generation != self.b.generation && self.a.generation * self.b.generation != 0 {
            return (Verdict::Different, "one is the younger, one the elder");
        }
        if self.contrary() {
            return (Verdict::Different, "opposite words");
        }
        if score < self.config.probable_score {
            return (Verdict::Different, "the words differ");
        }
        match self.doubt(digits_differ) {
            Some(doubt) => (Verdict::Probable, doubt),
            None if score < self.config.same_score => (Verdict::Probable, "spelt much alike"),
            None if self.has_slip() => (Verdict::Same, "one name with a slip of spelling"),
            None => (Verdict::Same, ONE_NAME),
        }
    }

    /// Returns whether both have different words of one row of contraries.
    fn contrary(&self) -> bool {
        let (a, b) = (&self.a.contraries, &self.b.contraries);
        a != b
            && a.iter().any(|(row, _)| b.iter().any(|(other, _)| row == other))
            && a.iter().any(|word| !b.contains(word))
            && b.iter().any(|word| !a.contains(word))
    }

    /// Returns the reason against `Same`, if any.
    fn doubt(&self, digits_differ: bool) -> Option<&'static str> {
        if self.has_slip() && !self.is_slip_allowed() {
            return Some("some letters differ");
        }
        let worst = self.alignment.pairs.iter().map(|pair| pair.grade).filter(|grade| *grade != Grade::Slip).max();
        let worst_allowed = if self.is_person() && self.whole > 1 { Grade::Initial } else { Grade::Variant };
        if worst.is_some_and(|grade| grade > worst_allowed) {
            return Some(match worst {
                Some(Grade::Initial) => "initials agree",
                Some(Grade::Nickname) => "a short form of the name",
                _ => "some letters differ",
            });
        }
        if digits_differ {
            return Some("a number that only one has");
        }
        if self.a.generation != self.b.generation {
            return Some("a generation that only one states");
        }
        if self.doubtful_legal_form() {
            return Some("the legal forms differ");
        }
        let is_moved =
            self.is_person() && self.order == WordOrder::Straight && has_moved_particle(self.a, self.b, &self.alignment);
        if is_moved || self.order == WordOrder::Shuffled || (self.order == WordOrder::Turned && !self.is_order_known()) {
            return Some("the order of words differs");
        }
        let extra = |key: &NameKey, left: &[usize]| left.iter().any(|&i| !self.may_be_missing(key, i));
        if extra(self.a, &self.alignment.left_a) || extra(self.b, &self.alignment.left_b) {
            return Some("a word that only one has");
        }
        let needed = if matches!(self.kind, Some(NameKind::Organisation | NameKind::Place)) { 1 } else { 2 };
        (self.whole < needed).then_some("only one name is given")
    }

    fn has_slip(&self) -> bool {
        self.alignment.pairs.iter().any(|pair| pair.grade == Grade::Slip)
    }

    /// Returns whether the slip is the only one, every word has its partner, and the rest is evidence enough.
    fn is_slip_allowed(&self) -> bool {
        let pairs = &self.alignment.pairs;
        let is_evidence = |pair: &Pair| match self.kind {
            // Of a slip in several words written as one, the others are equal.
            Some(NameKind::Person) if pair.grade == Grade::Slip => pair.a.1.max(pair.b.1) > 1,
            Some(NameKind::Person) => pair.grade <= Grade::Variant && pair.len >= EVIDENCE_LETTERS,
            Some(NameKind::Organisation) => {
                pair.grade == Grade::Slip && pair.len >= ORGANISATION_LETTERS && self.is_one_sound(pair)
            }
            Some(NameKind::Place) | None => false,
        };
        let is_word = |key: &NameKey, &i: &usize| key.tokens[i].kind == TokenKind::Word && !key.tokens[i].patronymic;
        let is_complete = !self.alignment.left_a.iter().any(|i| is_word(self.a, i))
            && !self.alignment.left_b.iter().any(|i| is_word(self.b, i));
        let slips = pairs.iter().filter(|pair| pair.grade == Grade::Slip).count();
        slips == 1 && is_complete && pairs.iter().any(is_evidence)
    }

    fn is_one_sound(&self, pair: &Pair) -> bool {
        self.a.tokens[pair.a.0].skeleton == self.b.tokens[pair.b.0].skeleton
    }

    /// Returns whether the words tell the order: a surname by its ending or its particle, a patronymic, an office.
    fn is_order_known(&self) -> bool {
        let is_known = |key: &NameKey| {
            let surnames = key.tokens.iter().filter(|token| token.surname).count();
            surnames == 1 || key.tokens.iter().any(|token| token.patronymic && !token.surname)
        };
        let (a, b) = (self.a, self.b);
        match self.kind {
            Some(NameKind::Person) => is_known(a) || is_known(b) || leads_with_surname(a, b) || leads_with_surname(b, a),
            Some(NameKind::Organisation) => leads_with_office(a, b) || leads_with_office(b, a),
            Some(NameKind::Place) | None => false,
        }
    }

    /// Returns whether the names agree but for a slip or middle names, or only in sound: many Chinese names are one in Latin letters.
    fn is_loose(&self) -> bool {
        let is_middle = |key: &NameKey, i: usize| {
            let token = &key.tokens[i];
            !token.patronymic && !token.honorific && self.is_middle_name(key, i)
        };
        let middle = |key: &NameKey, left: &[usize]| left.iter().any(|&i| is_middle(key, i));
        let by_sound = |pair: &Pair| self.a.tokens[pair.a.0].ideographic != self.b.tokens[pair.b.0].ideographic;
        self.has_slip()
            || self.alignment.pairs.iter().any(by_sound)
            || middle(self.a, &self.alignment.left_a)
            || middle(self.b, &self.alignment.left_b)
    }

    /// Returns whether a word is one of few middle names or initials that the other name of a person lacks. Names that very many people
    /// have do not count for the person: "George Walker Bush" may be the son of "George Herbert Walker Bush". "Abdul Ghani" is one
    /// name, also written "Ghani".
    fn is_middle_name(&self, key: &NameKey, at: usize) -> bool {
        let short = if std::ptr::eq(key, self.a) { self.b } else { self.a };
        let (kept, all) = (names_of_person(short), names_of_person(key));
        let rare = short.tokens.iter().filter(|token| token.kind == TokenKind::Word && !token.common).count();
        let token = &key.tokens[at];
        let is_few = all > kept && all - kept <= rare.min(MISSING_NAMES);
        let is_opening = token.opens_name && token.text.starts_with("abd") && all == kept && rare > 0;
        self.is_person()
            && self.order == WordOrder::Straight
            && matches!(token.kind, TokenKind::Word | TokenKind::Initial)
            && kept > 1
            && (is_few || is_opening)
            && self.alignment.pairs.iter().all(|pair| pair.grade <= Grade::Variant)
    }

    /// Returns whether a word stands inside a name whose other words are all in the other name.
    fn is_inside(&self, key: &NameKey, at: usize) -> bool {
        let inside = at > 0 && (at + 1 < key.tokens.len() || key.comma.is_some());
        let one_sided = self.alignment.left_a.is_empty() || self.alignment.left_b.is_empty();
        (inside || self.order != WordOrder::Straight) && one_sided && self.whole > 1
    }

    fn may_be_missing(&self, key: &NameKey, at: usize) -> bool {
        let token = &key.tokens[at];
        let person = !matches!(self.kind, Some(NameKind::Organisation | NameKind::Place));
        match token.kind {
            TokenKind::Title => person && self.whole > 1,
            TokenKind::Link => {
                token.text == "the" || token.text == "and" || (self.whole > 1 && self.kind != Some(NameKind::Place))
            }
            TokenKind::Particle(_) => self.whole > 1 && self.kind != Some(NameKind::Place),
            TokenKind::Word if person => {
                let is_repeated = key.tokens.iter().enumerate().any(|(i, other)| i != at && other.text == token.text);
                let optional = token.patronymic
                    || is_repeated
                    || token.honorific
                    || (self.config.middle_name_optional && self.is_person())
                    || self.is_middle_name(key, at);
                optional && self.is_inside(key, at)
            }
            TokenKind::Initial => self.is_middle_name(key, at) && self.is_inside(key, at),
            TokenKind::Word | TokenKind::Number => false,
        }
    }

    fn legal_classes_differ(&self) -> bool {
        let classes = |key: &NameKey| key.legal.iter().map(|form| form.1).filter(|&class| class != 0).collect::<Vec<_>>();
        let (a, b) = (classes(self.a), classes(self.b));
        !a.is_empty() && !b.is_empty() && !a.iter().any(|class| b.contains(class))
    }

    fn doubtful_legal_form(&self) -> bool {
        if self.is_person() { self.a.legal != self.b.legal } else { !legal_forms_agree(self.a, self.b) }
    }
}

/// Returns whether one name states no legal form that the other lacks.
fn legal_forms_agree(a: &NameKey, b: &NameKey) -> bool {
    let within = |x: &[(u16, u16)], y: &[(u16, u16)]| x.iter().all(|form| y.contains(form));
    within(&a.legal, &b.legal) || within(&b.legal, &a.legal)
}

/// "AT&T" and "AT & T", "E.ON" and "EON": equal letters, and no transliterated ones, which may stand for others.
fn is_respaced(a: &NameKey, b: &NameKey) -> bool {
    let is_latin = |key: &NameKey| key.native_letters().all(str::is_empty);
    a.joined == b.joined
        && a.joined.len() >= RESPACED_LETTERS
        && a.digits == b.digits
        && a.generation == b.generation
        && is_latin(a)
        && is_latin(b)
        && legal_forms_agree(a, b)
}

/// Returns the number of names of a person; "Abdul Ghafoor" is one.
fn names_of_person(key: &NameKey) -> usize {
    let is_name = |token: &&Token| matches!(token.kind, TokenKind::Word | TokenKind::Initial);
    let is_compound = |pair: &&[Token]| pair[0].kind == TokenKind::Word && pair[0].opens_name && is_name(&&pair[1]);
    key.tokens.iter().filter(is_name).count() - key.tokens.windows(2).filter(is_compound).count()
}

/// "FMLN" and "Farabundo Marti National Liberation Front": in order, or (from four letters) in the order of another language.
pub fn acronym(short: &NameKey, long: &NameKey, config: &NameConfig, least: usize) -> Option<NameMatch> {
    let (letters, least): (Vec<char>, usize) = match short.tokens.as_slice() {
        [token] if token.kind == TokenKind::Word => (token.text.chars().collect(), least),
        tokens if tokens.len() > 1 && tokens.iter().all(|token| token.text.len() == 1) => (short.joined.chars().collect(), 2),
        _ => return None,
    };
    let is_main = |token: &&Token| !matches!(token.kind, TokenKind::Link | TokenKind::Particle(_));
    let main: Vec<char> = long.tokens.iter().filter(is_main).map(|token| token.initial).collect();
    let spelt_out = long.tokens.iter().all(|token| token.text.len() == 1);
    let longest = main.len() + long.legal_initials.len();
    if letters.len() < least || letters.len() > MAX_ACRONYM || longest < least || main.len() < 2 || spelt_out {
        return None;
    }
    let whole = || main.iter().chain(&long.legal_initials).copied().eq(letters.iter().copied());
    if main == letters || whole() || long.tokens.iter().map(|token| token.initial).eq(letters.iter().copied()) {
        let verdict = if letters.len() >= config.acronym_same_letters { Verdict::Same } else { Verdict::Probable };
        return Some(NameMatch { score: ACRONYM_SCORE + 0.2, verdict, why: "an acronym and its long form", is_loose: false });
    }
    if letters.len() < 3 || main.len().abs_diff(letters.len()) > 1 {
        return None;
    }
    let mut following = main.iter();
    let in_order = letters.iter().all(|letter| following.any(|c| c == letter)) && main.first() == letters.first();
    let mut rest = main.clone();
    let any_order = letters.iter().all(|letter| rest.iter().position(|c| c == letter).map(|at| rest.swap_remove(at)).is_some());
    (in_order || (any_order && letters.len() > 3)).then_some(NameMatch {
        score: ACRONYM_SCORE,
        verdict: Verdict::Probable,
        why: "nearly an acronym and its long form",
        is_loose: false,
    })
}
