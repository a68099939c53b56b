//! "Did X do it?": the answer is what "Who did it?" makes of X.

use super::super::corpus::Corpus;
use super::super::lexicon::Lexicon;
use super::super::question::{Kind, Question, analyse_question};
use super::super::settle::with_none;
use super::super::words::{Shape, Word, split};
use super::super::{Hypothesis, Passage, who};
use super::statement;

/// Yes and no to a question whether a named body did a deed; none where the question asks something else.
pub fn verdict(question: &Question, passages: &[Passage<'_>], lexicon: &Lexicon) -> Option<Vec<Hypothesis>> {
    let (name, rest) = accused(question, lexicon)?;
    // The predicate is left out: its verb is in the form of the question.
    let asked = analyse_question(&format!("{} {rest}", lexicon.say("asks_who", &[])), lexicon);
    let asked = Question { predicate: None, ..asked };
    let of_bodies = asked.act.as_ref().is_some_and(|act| lexicon.of_bodies.contains(act));
    if asked.kind != Kind::Who || !of_bodies {
        return None;
    }
    let corpus = Corpus::new(&asked, passages);
    let list = who::hypotheses(&asked, &corpus, lexicon);
    let is = |h: &&Hypothesis| {
        let told: Vec<String> = split(&h.statement).list.into_iter().map(|w| w.norm).collect();
        !h.none && told.windows(name.len()).any(|part| *part == name)
    };
    let mine = list.iter().find(is)?;
    let others: Vec<&Hypothesis> = list.iter().filter(|h| !h.none && h.statement != mine.statement).collect();
    let rival = others.first();
    let yes = Hypothesis { statement: statement(question, "yes", &corpus, lexicon), ..mine.clone() };
    let mut support = mine.against.clone();
    support.extend(rival.iter().flat_map(|h| h.supporting.iter()).filter(|key| !mine.supporting.contains(key)));
    support.dedup();
    let no = Hypothesis {
        statement: statement(question, "no", &corpus, lexicon),
        probability: 0.0,
        reasoning: rival.map_or_else(String::new, |h| lexicon.say("others_did", &[("rival", &h.statement)])),
        supporting: support,
        against: mine.supporting.clone(),
        weaknesses: lexicon.say("others_weak", &[]),
        none: false,
    };
    let against: f64 = others.iter().map(|h| h.probability).sum();
    let mut rows = [(mine.probability, yes), (against, no)];
    rows.sort_by(|a, b| b.0.total_cmp(&a.0));
    let (shares, told): (Vec<f64>, Vec<Hypothesis>) = rows.into_iter().unzip();
    Some(with_none(told, &shares, &corpus, lexicon))
}

/// The words of the name that the question is about, and what it asks of it: "Did the Brand Front | attack the mill".
fn accused(question: &Question, lexicon: &Lexicon) -> Option<(Vec<String>, String)> {
    let text = question.parts.first().map_or(question.text.trim(), |part| part.text.as_str());
    let words = split(text).list;
    let past = words.first().is_some_and(|w| lexicon.role("asks_done", &w.norm));
    let from = 1 + usize::from(words.get(1).is_some_and(|w| lexicon.determiners.contains(&w.norm)));
    let capital = |w: &&Word| matches!(w.shape, Shape::Title | Shape::Upper);
    let name: Vec<String> = words.iter().skip(from).take_while(capital).map(|w| w.norm.clone()).collect();
    // A ship or a person is asked about like anything else that happens.
    let body = |norm: &String| lexicon.heads.contains_key(norm) || lexicon.members.contains_key(norm);
    let rest = words.get(from + name.len()).filter(|_| past && name.iter().any(body))?;
    Some((name, text[rest.start..].to_owned()))
}
