//! The speaker of a statement, its manner and its kind.

mod speakers;

use std::ops::Range;

use domain::claim::{Attribution, Information, Mode};

use super::mentions::Mention;
use super::span::Span;
use super::tokens::{Token, TokenKind};
use super::{Class, ClassSet, Text};

/// Attribution of a sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Statement {
    /// The words that name the speaker, without "according to" or "said".
    pub speaker: Option<Span>,
    pub attribution: Attribution,
    pub mode: Mode,
    pub information: Information,
}

/// The words of a speaker are looked for within so many tokens of the cue.
const SPEAKER_TOKENS_MAX: usize = 14;

impl Text<'_> {
    /// Reads the attribution of a sentence.
    pub fn attribution(&self, sentence: Span) -> Statement {
        let range = self.token_range(sentence);
        let found = self.according_to(&range).or_else(|| self.speech_verb(&range));
        let hearsay = self.find_cue(range.clone(), Class::HearsayCue).or_else(|| self.passive_report(&range));
        let attribution = match (&found, &hearsay) {
            (_, Some(_)) => Attribution::Indirect,
            (Some((speaker, _)), None) if self.is_unnamed_relay(speaker) => Attribution::Indirect,
            (Some((speaker, _)), None) if !self.is_writer(speaker) => Attribution::Secondhand,
            (Some(_), None) => Attribution::Primary,
            (None, None) if self.is_first_person(&range) => Attribution::Primary,
            (None, None) => Attribution::Unattributed,
        };
        let mode = self.mode(&range, found.as_ref().map(|(_, cue)| cue));
        let information = self.information(&range, found.as_ref());
        Statement {
            speaker: found.map(|(speaker, _)| self.span_of(speaker)).filter(|span| !span.is_empty()),
            attribution,
            mode,
            information,
        }
    }

    /// The words of a speaker, with the names in them whole and without words of grammar at the ends; nothing where a pronoun speaks.
    pub fn speaker_name(&self, speaker: Span, mentions: &[Mention]) -> Option<Span> {
        let first = mentions.partition_point(|mention| mention.span.end <= speaker.start);
        let names = &mentions[first..mentions.partition_point(|mention| mention.span.start < speaker.end).max(first)];
        let range = self.token_range(names.iter().fold(speaker, |whole, name| whole.to(name.span)));
        let in_name = |at: usize| names.iter().any(|name| name.span.contains(self.tokens[at].span));
        let content = |at: &usize| {
            let token = &self.tokens[*at];
            in_name(*at) || token.is_word() && !token.is_function() && !(token.is(Class::Weekday) && token.is_capital())
        };
        let last = range.clone().rev().find(content)?;
        let pronoun = self.tokens[range.end - 1].is(Class::Pronoun) && !in_name(range.end - 1);
        if pronoun && !self.tokens[range.start].is_mark("[") {
            return None;
        }
        let opens = |at: &usize| content(at) || self.tokens[*at].is(Class::Determiner) && !self.tokens[*at].is(Class::Pronoun);
        // "[ANNOUNCER] PRESS REPORTS SAY …": a note of who reads, and then the speaker.
        let noted = self.closing(range.start, range.end).filter(|close| *close < last).map_or(range.start, |close| close + 1);
        let mut first = (noted..=last).find(opens)?;
        if self.tokens[range.start].is(Class::Preposition) && !in_name(range.start) {
            // "In Lima the minister of works": the phrase or name that ends here.
            let article = |at: &usize| self.tokens[*at].is(Class::Determiner) && !self.tokens[*at - 1].is(Class::Preposition);
            let name = names.last().map(|name| self.token_range(name.span)).filter(|name| name.end == last + 1);
            first = (range.start + 1..=last).rev().find(article).or(name.map(|name| name.start))?;
        }
        Some(self.span_of(first..last + 1))
    }

    /// "According to a spokesman, …", "…, according to the army."
    fn according_to(&self, range: &Range<usize>) -> Option<(Range<usize>, Range<usize>)> {
        let cue = self.find_cue(range.clone(), Class::AttributionCue)?;
        let limit = range.end.min(cue.end + SPEAKER_TOKENS_MAX);
        let closes = |token: &Token| {
            token.kind == TokenKind::Mark
                && matches!(&*token.fold, "," | "." | ";" | ":" | "\"" | "--" | "\u{2014}" | "\u{2013}")
                || token.is(Class::Auxiliary)
        };
        let stop = (cue.end..limit).find(|at| closes(&self.tokens[*at]) && !self.is_inner_stop(*at)).unwrap_or(limit);
        (stop > cue.end).then_some((cue.end..stop, cue))
    }

    pub(super) fn is_inner_stop(&self, at: usize) -> bool {
        let stop = self.tokens.get(at).is_some_and(|token| token.is_mark("."));
        at > 0 && stop && self.tokens[at - 1].is(Class::Honorific)
    }

    /// "The army said that …", "…," the minister added; "…" said the minister.
    fn speech_verb(&self, range: &Range<usize>) -> Option<(Range<usize>, Range<usize>)> {
        let mut quoted = false;
        for at in range.clone() {
            let token = &self.tokens[at];
            quoted = match &*token.fold {
                "\"" => !quoted,
                "\u{201c}" | "\u{ab}" => true,
                "\u{201d}" | "\u{bb}" => false,
                _ => quoted,
            };
            if quoted || !token.classes.any(ClassSet::SPEECH) || !self.is_finite(at, range) {
                continue;
            }
            let can_speak = |speaker: &Range<usize>| self.can_speak(speaker, at) && !self.is_conditional(range, speaker);
            let speaker = self.subject(range, at).filter(can_speak);
            let speaker = speaker.or_else(|| self.inverted_subject(range, at));
            if let Some(speaker) = speaker.filter(|speaker| self.states(range, at, speaker)) {
                return Some((speaker, at..at + 1));
            }
        }
        None
    }

    /// Whether the clause of a speaker is a condition without a statement: "provided that the authority confirms the
    /// depth", "unless the minister says otherwise".
    fn is_conditional(&self, range: &Range<usize>, speaker: &Range<usize>) -> bool {
        let is_condition = |at: usize| {
            let words = ["if", "unless", "once", "until", "whether", "provided", "providing", "condition"];
            words.contains(&&*self.tokens[at].fold)
        };
        let has_that = speaker.start > range.start && &*self.tokens[speaker.start - 1].fold == "that";
        let clause = speaker.start - usize::from(has_that);
        is_condition(speaker.start) || clause > range.start && is_condition(clause - 1)
    }

    /// "It was also reported that …", "It has been learned …".
    fn passive_report(&self, range: &Range<usize>) -> Option<Range<usize>> {
        const NEAR: usize = 6;
        let it = range.clone().find(|at| &*self.tokens[*at].fold == "it")?;
        let limit = range.end.min(it + NEAR);
        let verb = (it + 1..limit).find(|at| !self.tokens[*at].is(Class::Auxiliary) && !self.tokens[*at].is(Class::Adverb))?;
        let passive = self.tokens[it + 1..verb].iter().any(|token| matches!(&*token.fold, "is" | "was" | "been"));
        let speech = self.tokens[verb].classes.any(ClassSet::SPEECH)
            || matches!(&*self.lexicon.lemma(&self.tokens[verb].fold), "learn" | "know");
        (passive && speech).then_some(it..verb + 1)
    }

    /// A verb form that carries a sentence, and no infinitive, noun or adjective.
    fn is_finite(&self, at: usize, range: &Range<usize>) -> bool {
        let token = &self.tokens[at];
        let word = &*token.fold;
        let before = (at > range.start).then(|| &self.tokens[at - 1]);
        let nominal = before
            .is_some_and(|before| before.is(Class::Determiner) || before.is(Class::Preposition) || before.is_possessive());
        let named =
            before.is_some_and(|before| before.phrase.is_some_and(|(len, classes)| len > 1 && classes.has(Class::Place)));
        let base = self.lexicon.lemma(word);
        let inflected = word.strip_prefix(&*base).is_some_and(|ending| matches!(ending, "s" | "es" | "d" | "ed"));
        let bare = word == base && !self.lexicon.is_irregular_verb(word);
        let plural = before.is_some_and(|before| {
            before.fold.ends_with('s')
                || before.classes.any(ClassSet::from_classes(&[Class::Pronoun, Class::Auxiliary, Class::Adverb]))
        });
        let verb = inflected || bare && plural || word.ends_with("ied") || self.lexicon.is_irregular_verb(word);
        let participle = !verb || named;
        // "Press reports said": a noun before the verb.
        let past = word.ends_with('d') || self.lexicon.is_irregular_verb(word);
        let compound = !past && self.tokens[..range.end].get(at + 1).is_some_and(|next| next.classes.any(ClassSet::SPEECH));
        let grammar = token.classes.any(ClassSet::from_classes(&[Class::Hedge, Class::Determiner, Class::Preposition]));
        !(nominal || participle || compound || grammar)
    }

    /// Whether a verb of speech has something that is said: a clause, a quotation, or it stands at the end.
    fn states(&self, range: &Range<usize>, verb: usize, speaker: &Range<usize>) -> bool {
        let token = &self.tokens[verb];
        let next = self.tokens[..range.end].get(verb + 1);
        let that =
            (verb + 1..range.end.min(verb + 10)).any(|at| matches!(&*self.tokens[at].fold, "that" | "\"" | "\u{201c}" | ":"));
        let ends = next.is_none_or(|next| next.kind == TokenKind::Mark);
        let inverted = speaker.start > verb;
        if token.is(Class::Reject) {
            return self.rejects_contention(verb, range.end);
        }
        if token.is(Class::Say) || token.is(Class::Deny) || token.is(Class::Allege) {
            return true;
        }
        that || ends || inverted
    }

    /// Whether the author speaks of what he did or saw: "I", "we" and their like, outside quotations.
    fn is_first_person(&self, range: &Range<usize>) -> bool {
        let quotes = |token: &Token| matches!(&*token.fold, "\"" | "\u{201c}" | "\u{201d}" | "\u{ab}" | "\u{bb}");
        self.find_cue(range.clone(), Class::FirstPerson).is_some() && !self.tokens[range.clone()].iter().any(quotes)
    }

    /// Whether the whole text is the name of an office, and of no outlet: what it publishes about itself is first-hand.
    pub fn names_an_office(&self) -> bool {
        const OFFICE: ClassSet = ClassSet::from_classes(&[Class::OrgHead, Class::OrgLead]);
        const OUTLET: ClassSet = ClassSet::from_classes(&[Class::OutletHead, Class::OutletLead, Class::Relayed]);
        let has = |classes: ClassSet| self.tokens.iter().any(|token| token.classes.any(classes));
        has(OFFICE) && !has(OUTLET)
    }

    fn is_writer(&self, speaker: &Range<usize>) -> bool {
        let first = |token: &Token| token.is(Class::FirstPerson);
        speaker.len() == 1 && self.tokens[speaker.start].is(Class::Pronoun) && first(&self.tokens[speaker.start])
    }

    /// Other media, or sources without a name: "press reports", "unidentified sources".
    fn is_unnamed_relay(&self, speaker: &Range<usize>) -> bool {
        let tokens = &self.tokens[speaker.clone()];
        let named = tokens.iter().enumerate().any(|(at, token)| {
            token.is_capital()
                && !token.is_function()
                && (at > 0 || !self.starts_sentence(speaker.start))
                && !self.in_capitals(token)
        });
        !named && tokens.iter().any(|token| token.is(Class::Relayed) || matches!(&*token.fold, "source" | "sources"))
    }

    fn mode(&self, range: &Range<usize>, cue: Option<&Range<usize>>) -> Mode {
        let verb = cue.map(|cue| self.tokens[cue.start].classes).unwrap_or_default();
        let has = |class: Class| self.find_cue(range.clone(), class).is_some();
        if verb.has(Class::Deny) || cue.is_some_and(|cue| self.rejects_contention(cue.start, range.end)) {
            Mode::Denied
        } else if cue.is_some_and(|cue| self.cue_at(cue.start, Class::Blame).is_some_and(|len| len > 1)) {
            Mode::Asserted
        } else if verb.has(Class::Allege) || has(Class::AllegeCue) {
            Mode::Alleged
        } else if verb.has(Class::Promise) || has(Class::PromiseCue) {
            Mode::Promised
        } else if verb.has(Class::Predict) || has(Class::ForecastCue) || self.looks_forward(range) {
            Mode::Forecast
        } else {
            Mode::Asserted
        }
    }

    fn information(&self, range: &Range<usize>, found: Option<&(Range<usize>, Range<usize>)>) -> Information {
        let verb = found.map(|(_, cue)| self.tokens[cue.start].classes).unwrap_or_default();
        let has = |class: Class| self.find_cue(range.clone(), class).is_some();
        let witness = found.is_some_and(|(speaker, _)| {
            self.tokens[speaker.clone()]
                .iter()
                .any(|token| matches!(&*self.lexicon.lemma(&token.fold), "witness" | "eyewitness" | "survivor"))
        });
        let first_person = found.is_none_or(|(speaker, _)| self.is_writer(speaker)) && has(Class::FirstPerson);
        if witness || (first_person && self.tokens[range.clone()].iter().any(|token| token.is(Class::Witness))) {
            Information::Testimony
        } else if verb.has(Class::Call) || first_person {
            Information::Discourse
        } else if verb.has(Class::Judge) || verb.has(Class::Predict) || has(Class::AnalysisCue) || has(Class::ForecastCue) {
            Information::Analysis
        } else {
            Information::Assertion
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::Lexicon;
    use super::*;

    fn check(text: &str, speaker: Option<&str>, attribution: Attribution, mode: Mode) {
        let reading = Text::new(Lexicon::english(), text);
        let found = reading.attribution(Span::whole(text));
        assert_eq!(
            (found.speaker.map(|span| span.slice(text)), found.attribution, found.mode),
            (speaker, attribution, mode),
            "{text}"
        );
    }

    #[test]
    fn speakers_are_named() {
        check("According to Gen. Bustillo, five men died.", Some("Gen. Bustillo"), Attribution::Secondhand, Mode::Asserted);
        check(
            "The Atonal Battalion reported that one man died.",
            Some("The Atonal Battalion"),
            Attribution::Secondhand,
            Mode::Asserted,
        );
        check(
            "THE ARCE BATTALION COMMAND HAS REPORTED THAT 50 PEASANTS DIED.",
            Some("THE ARCE BATTALION COMMAND"),
            Attribution::Secondhand,
            Mode::Asserted,
        );
        check("\"We won,\" said Ross Alger.", Some("Ross Alger"), Attribution::Secondhand, Mode::Asserted);
        check("Five men died in the north.", None, Attribution::Unattributed, Mode::Asserted);
        check("We counted five dead in the north.", None, Attribution::Primary, Mode::Asserted);
    }

    #[test]
    fn a_condition_has_no_speaker() {
        for text in [
            "The ferry leaves on Monday, provided that the harbour authority confirms the depth.",
            "The ferry leaves on Monday provided the harbour authority confirms the depth.",
            "Nothing changes unless the minister says otherwise.",
            "If the minister confirms that report, the case is closed.",
        ] {
            check(text, None, Attribution::Unattributed, Mode::Asserted);
        }
        let text = "If the gate fails, the minister said, the town floods.";
        check(text, Some("the minister"), Attribution::Secondhand, Mode::Asserted);
    }

    #[test]
    fn denials_allegations_promises_and_forecasts_differ() {
        check("The army denied that it fired.", Some("The army"), Attribution::Secondhand, Mode::Denied);
        check("The rebels allegedly burned the bridge.", None, Attribution::Indirect, Mode::Alleged);
        check("The minister promised that schools would open.", Some("The minister"), Attribution::Secondhand, Mode::Promised);
        check("Prices are expected to rise.", None, Attribution::Unattributed, Mode::Forecast);
    }

    #[test]
    fn only_a_contention_is_denied_by_a_rejection() {
        let none = (None, Attribution::Unattributed, Mode::Asserted);
        let denied = (Some("The minister"), Attribution::Secondhand, Mode::Denied);
        for (text, (speaker, attribution, mode)) in [
            ("The minister rejected the offer.", none),
            ("The minister rejected a plan by the author of the report.", none),
            ("The minister dismissed two officers.", none),
            ("The minister rejected that offer.", none),
            ("The court dismissed the charge against Vale.", none),
            ("The minister rejected the accusation.", denied),
            ("The minister rejected that the bridge was unsafe.", denied),
            ("The minister dismissed as false a report on the bridge.", denied),
        ] {
            check(text, speaker, attribution, mode);
        }
    }

    #[test]
    fn a_speaker_precedes_its_apposition_or_follows_the_verb() {
        for (text, speaker) in [
            ("\"We won,\" Ann Vale, head of Orrin Bank in Lima, Peru, said.", Some("Ann Vale")),
            ("\"It rained,\" Vale, the mayor, said Tuesday at the bank.", Some("Vale")),
            ("The crew, which works in Lima, added that it rained.", Some("The crew")),
            ("\"It rained,\" said Ann Vale in a letter to the crew.", Some("Ann Vale")),
            ("\"It rained,\" said a spokesman for the bank when it closed.", Some("a spokesman for the bank")),
        ] {
            check(text, speaker, Attribution::Secondhand, Mode::Asserted);
        }
        for text in [
            "Two critical reports that depict losses came.",
            "The crew scored 25 points in May.",
            "The crew wasn't told of it.",
        ] {
            check(text, None, Attribution::Unattributed, Mode::Asserted);
        }
    }

    #[test]
    fn a_speaker_has_a_whole_name() {
        let check = |text: &str, speaker: &str, expect: Option<&str>| {
            let reading = Text::new(Lexicon::english(), text);
            let at = text.find(speaker).unwrap();
            let found = reading.speaker_name(Span::new(at, at + speaker.len()), &reading.mentions());
            assert_eq!(found.map(|span| span.slice(text)), expect, "{text}");
        };
        check("Ann Vale said so.", "Vale", Some("Ann Vale"));
        check("But the minister said so.", "But the minister", Some("the minister"));
        check("In Lima the minister of works said so.", "In Lima the minister of works", Some("the minister of works"));
        check("[ANNOUNCER] PRESS REPORTS SAY SO.", "[ANNOUNCER] PRESS REPORTS", Some("PRESS REPORTS"));
        check("Ann Vale on Wednesday said so.", "Ann Vale on Wednesday", Some("Ann Vale"));
        check("He said so.", "He", None);
        check("So said the.", "the", None);
    }

    #[test]
    fn an_office_is_distinguished_from_an_outlet() {
        let is_office = |name| Text::new(Lexicon::english(), name).names_an_office();
        assert!(["Ministry of Works", "Tollen Police", "State Forensic Institute"].into_iter().all(is_office));
        assert!(!["Radio Ebrin", "Orrin Wire", "Karo News Agency", "The Tarvek Ledger", "Halvek"].into_iter().any(is_office));
    }

    #[test]
    fn press_reports_are_indirect() {
        check("Press reports said that five men died.", Some("Press reports"), Attribution::Indirect, Mode::Asserted);
    }
}
