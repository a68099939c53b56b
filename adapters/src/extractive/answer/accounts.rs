//! What, how, when and where: competing accounts, like sentences grouped.

mod times;

use std::collections::BTreeMap;

use super::corpus::{Corpus, Unit};
use super::lexicon::{Lexicon, WordSet};
use super::likeness::{content, like};
use super::phrase::Reader;
use super::question::{Kind, Question};
use super::settle::Group;
use super::words::split;

/// Groups what weighty passages tell, by likeness; for "when" and "where" by the time or place told.
pub fn groups(question: &Question, corpus: &Corpus<'_>, lexicon: &Lexicon) -> Vec<Group> {
    let found = match question.kind {
        // Without a time of the deed itself nothing is known of it.
        Kind::When => return times(question, corpus, lexicon),
        Kind::Where => places(question, corpus, lexicon),
        _ => Vec::new(),
    };
    if found.is_empty() { accounts(question, corpus, lexicon) } else { found }
}

fn accounts(question: &Question, corpus: &Corpus<'_>, lexicon: &Lexicon) -> Vec<Group> {
    let mut groups: Vec<(WordSet, Group)> = Vec::new();
    for unit in corpus.weightiest(lexicon) {
        let here = &corpus.units[unit];
        let mut stems = content(&here.words.list, lexicon);
        // What the question itself names is in every account and tells none apart.
        stems.retain(|s| !question.terms.iter().any(|t| t.stem == *s));
        let weight = corpus.weight(unit) * here.coverage;
        if stems.len() < 4 || here.coverage <= 0.0 {
            continue;
        }
        if let Some((_, group)) = groups.iter_mut().find(|(known, _)| like(known, &stems) >= lexicon.limits.likeness) {
            group.support.push((unit, weight));
            continue;
        }
        let sentence = here.passage.text.split_whitespace().collect::<Vec<_>>().join(" ");
        let statement = lexicon.say("account", &[("account", &sentence)]);
        groups.push((stems, Group { statement, support: vec![(unit, weight)], ..Group::default() }));
    }
    groups.into_iter().map(|(_, group)| group).collect()
}

fn times(question: &Question, corpus: &Corpus<'_>, lexicon: &Lexicon) -> Vec<Group> {
    let deed = times::deed(question, corpus, lexicon);
    let say = if times::ahead(question, lexicon) { "date_ahead" } else { "date" };
    told(question, corpus, lexicon, |unit| times::told(&deed, unit, lexicon), |date| lexicon.say(say, &[("date", date)]))
}

fn places(question: &Question, corpus: &Corpus<'_>, lexicon: &Lexicon) -> Vec<Group> {
    let found = |unit: &Unit<'_>| places_in(Reader { words: &unit.words, lexicon }, unit.passage.text);
    told(question, corpus, lexicon, found, |place| lexicon.say("place", &[("found", place)]))
}

/// Groups by what is found in each passage: a key to compare by and a text to show.
fn told(
    question: &Question,
    corpus: &Corpus<'_>,
    lexicon: &Lexicon,
    found: impl Fn(&Unit<'_>) -> Vec<(String, String)>,
    say: impl Fn(&str) -> String,
) -> Vec<Group> {
    let asked: WordSet = split(&question.text).list.iter().map(|w| w.norm.clone()).collect();
    let mut groups: BTreeMap<String, Group> = BTreeMap::new();
    for unit in corpus.weightiest(lexicon) {
        let here = &corpus.units[unit];
        for (key, shown) in found(here) {
            if key.split(' ').all(|w| asked.contains(w)) || here.coverage <= 0.0 {
                continue;
            }
            let group = groups.entry(key).or_insert_with(|| Group { statement: say(&shown), ..Group::default() });
            group.support.push((
                unit,
                corpus.weight(unit) * here.coverage * if here.acts || question.act_stems.is_empty() { 1.0 } else { 0.4 },
            ));
        }
    }
    groups.into_values().collect()
}

/// Names after "in", "at" or "near".
fn places_in(reader: Reader<'_>, text: &str) -> Vec<(String, String)> {
    let list = &reader.words.list;
    let mut places = Vec::new();
    for i in 1..list.len() {
        if !reader.lexicon.place_marks.contains(&list[i - 1].norm) {
            continue;
        }
        let at = i + usize::from(reader.lexicon.determiners.contains(reader.norm(i)));
        let to = reader.right(at);
        if to > at && !reader.lexicon.months.contains(reader.norm(at)) {
            let key: Vec<&str> = list[at..to].iter().map(|w| w.norm.as_str()).collect();
            places
                .push((key.join(" "), text[list[at].start..list[to - 1].end].split_whitespace().collect::<Vec<_>>().join(" ")));
        }
    }
    places
}

#[cfg(test)]
mod tests {
    use super::super::forecasts::dated;
    use super::super::tests::first;

    #[test]
    fn a_time_is_one_of_the_deed_and_a_weekday_is_a_day() {
        let rows = [
            ("a", "2031-05-07", "The Orne Cup, made in 1482, was stolen from the hall on Monday, police said."),
            ("b", "2031-05-08", "The mayor, Ann Vale, said on Wednesday that the Orne Cup was safe."),
            (
                "c",
                "2031-05-09",
                "The hall will reopen on 1 June if the alarm has been tested by 20 May, the mayor said on Friday.",
            ),
        ];
        let none = "None of these";
        for (asked, told) in [
            ("When was the Orne Cup stolen?", "It was 5 May 2031."),
            ("When will the hall reopen?", "It is to be 1 June 2031."),
            ("When was the Orne Cup sold?", none),
        ] {
            let answer = dated(asked, &rows);
            assert!(first(&answer).starts_with(told), "{asked}: {answer:#?}");
        }
    }
}
