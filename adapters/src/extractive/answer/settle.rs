//! From groups of passages to hypotheses: independent support, what stands against, probabilities that sum to one.

use std::collections::{BTreeMap, BTreeSet};

use super::corpus::Corpus;
use super::lexicon::Lexicon;
use super::{Hypothesis, Mode};

/// At most so many passages are listed for or against one hypothesis.
const MAX_LISTED: usize = 12;
/// How much a passage against counts beside one for.
const AGAINST: f64 = 0.4;
/// Probabilities are given to this many parts.
const PARTS: f64 = 1000.0;

/// One answer that passages give, before it is weighed.
#[derive(Debug, Clone, Default)]
pub struct Group {
    /// The answer as a sentence.
    pub statement: String,
    /// Passages for it and how much each says so.
    pub support: Vec<(usize, f64)>,
    /// Passages against it.
    pub against: Vec<(usize, f64)>,
    /// Passages that give a rival answer; listed as against, not weighed twice.
    pub rivals: Vec<usize>,
    /// The passages hedge.
    pub hedged: bool,
}

impl Group {
    /// Support that counts each origin once.
    pub fn strength(&self, corpus: &Corpus<'_>, lexicon: &Lexicon) -> f64 {
        let weigh = |rows: &[(usize, f64)]| {
            let mut best: BTreeMap<&str, f64> = BTreeMap::new();
            for &(unit, weight) in rows {
                let slot = best.entry(corpus.docs[corpus.units[unit].document].origin).or_default();
                *slot = slot.max(weight * mode_weight(corpus.units[unit].passage.mode, lexicon));
            }
            best.values().sum::<f64>()
        };
        let (support, against) = (weigh(&self.support), weigh(&self.against));
        support * support / (support + AGAINST * against).max(1e-9)
    }
}

/// How much a passage of a mode counts.
pub fn mode_weight(mode: Mode, lexicon: &Lexicon) -> f64 {
    match mode {
        Mode::Asserted => lexicon.modes.asserted,
        Mode::Denied => lexicon.modes.denied,
        Mode::Alleged => lexicon.modes.alleged,
        Mode::Promised => lexicon.modes.promised,
        Mode::Forecast => lexicon.modes.forecast,
    }
}

/// Weighs groups into hypotheses, "none of these" included.
pub fn settle(mut groups: Vec<Group>, corpus: &Corpus<'_>, lexicon: &Lexicon) -> Vec<Hypothesis> {
    let order = |g: &Group| g.support.iter().map(|&(u, _)| corpus.units[u].order()).min();
    let scored: Vec<(f64, Group)> = groups.drain(..).map(|g| (g.strength(corpus, lexicon), g)).collect();
    let mut scored = scored;
    scored.sort_by(|a, b| b.0.total_cmp(&a.0).then(order(&a.1).cmp(&order(&b.1))).then(a.1.statement.cmp(&b.1.statement)));
    scored.truncate(lexicon.limits.max_hypotheses);
    let total: f64 = scored.iter().map(|(s, _)| s).sum();
    let covered = corpus.covered();
    let spoken = 1.0 - (-2.0 * total).exp();
    let none = (1.0 - covered * spoken).max(lexicon.limits.none_share * 0.2).min(0.95);
    let voices: BTreeSet<&str> =
        scored.iter().flat_map(|(_, g)| &g.support).map(|&(u, _)| corpus.docs[corpus.units[u].document].origin).collect();
    let none = if scored.is_empty() { 1.0 } else { none.max(doubt(voices.len())) };
    let shares: Vec<f64> = scored.iter().map(|(s, _)| s / total.max(1e-9) * (1.0 - none)).collect();
    let list = scored.iter().map(|(_, group)| describe(group, corpus, lexicon)).collect();
    with_none(list, &shares, corpus, lexicon)
}

/// What "none of these" keeps at least where only so many independent voices speak.
pub fn doubt(voices: usize) -> f64 {
    0.5 * 0.4_f64.powi(i32::try_from(voices).unwrap_or(i32::MAX))
}

/// Sets probabilities in whole parts and adds "none of these" with what is left.
pub fn with_none(mut list: Vec<Hypothesis>, shares: &[f64], corpus: &Corpus<'_>, lexicon: &Lexicon) -> Vec<Hypothesis> {
    let mut left = PARTS;
    for (hypothesis, share) in list.iter_mut().zip(shares) {
        let parts = (share * PARTS).round().clamp(1.0, PARTS).min(left);
        hypothesis.probability = parts / PARTS;
        left -= parts;
    }
    let covered = format!("{:.0}", corpus.covered() * 100.0);
    list.push(Hypothesis {
        statement: lexicon.say("none", &[]),
        probability: left / PARTS,
        reasoning: lexicon.say("none_reason", &[("covered", &covered)]),
        supporting: Vec::new(),
        against: Vec::new(),
        weaknesses: lexicon.say("none_weak", &[]),
        none: true,
    });
    list
}

/// Puts a group's evidence into words.
pub fn describe(group: &Group, corpus: &Corpus<'_>, lexicon: &Lexicon) -> Hypothesis {
    let supporting = listed(&group.support, corpus);
    let mut against = listed(&group.against, corpus);
    let denied = against.len();
    let rivals: Vec<(usize, f64)> = group.rivals.iter().map(|&u| (u, corpus.weight(u))).collect();
    against.extend(listed(&rivals, corpus).into_iter().filter(|k| !supporting.contains(k)));
    let mut seen = BTreeSet::new();
    against.retain(|k| seen.insert(*k));
    against.truncate(MAX_LISTED);
    let origins: BTreeSet<&str> = group.support.iter().map(|&(u, _)| corpus.docs[corpus.units[u].document].origin).collect();
    let reasoning = support_in_words(group.support.len(), origins.len(), against.len(), lexicon);
    let mut weaknesses = Vec::new();
    if origins.len() <= 1 {
        weaknesses.push(lexicon.say("weak_single", &[]));
    }
    if group.hedged {
        weaknesses.push(lexicon.say("weak_hedged", &[]));
    }
    if denied > 0 {
        weaknesses.push(denied_in_words(denied, lexicon));
    } else if !against.is_empty() {
        weaknesses.push(lexicon.say("weak_rival", &[]));
    }
    if corpus.covered() < 0.5 {
        weaknesses.push(lexicon.say("weak_distant", &[]));
    }
    if weaknesses.is_empty() {
        weaknesses.push(lexicon.say("weak_plain", &[]));
    }
    let statement = cut(&group.statement, lexicon.limits.max_statement);
    Hypothesis { statement, probability: 0.0, reasoning, supporting, against, weaknesses: weaknesses.join(" "), none: false }
}

/// How many passages of how many voices speak for and against something.
pub fn support_in_words(passages: usize, origins: usize, against: usize, lexicon: &Lexicon) -> String {
    let name = match (passages, origins) {
        (0, _) => "support_none",
        (1, _) => "support_one",
        (_, 0 | 1) => "support_same",
        _ => "support",
    };
    let gaps = [("passages", lexicon.count(passages)), ("origins", lexicon.count(origins))];
    let tail = match against {
        0 => String::new(),
        1 => lexicon.say("against_one", &[]),
        n => lexicon.say("against", &[("passages", &lexicon.count(n))]),
    };
    let gaps: Vec<(&str, &str)> = gaps.iter().map(|(k, v)| (*k, v.as_str())).chain([("against", tail.as_str())]).collect();
    capitalised(&lexicon.say(name, &gaps))
}

/// How many passages deny it, as a weakness.
pub fn denied_in_words(passages: usize, lexicon: &Lexicon) -> String {
    match passages {
        1 => lexicon.say("weak_denied_one", &[]),
        n => capitalised(&lexicon.say("weak_denied", &[("passages", &lexicon.count(n))])),
    }
}

/// With a large first letter.
pub fn capitalised(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or_else(String::new, |first| first.to_uppercase().chain(chars).collect())
}

fn listed(rows: &[(usize, f64)], corpus: &Corpus<'_>) -> Vec<u32> {
    let mut rows = rows.to_vec();
    rows.sort_by(|a, b| b.1.total_cmp(&a.1).then(corpus.units[a.0].order().cmp(&corpus.units[b.0].order())));
    let mut seen = BTreeSet::new();
    let keys = rows.iter().map(|r| corpus.units[r.0].passage.key).filter(|k| seen.insert(*k));
    keys.take(MAX_LISTED).collect()
}

/// Small letters for a text that is wholly in capitals.
pub fn out_of_capitals(text: String) -> String {
    if super::words::in_capitals(&text) { text.to_lowercase() } else { text }
}

/// Cuts a text at a word.
pub fn cut(text: &str, most: usize) -> String {
    if text.chars().count() <= most {
        return text.to_owned();
    }
    let end = text.char_indices().nth(most).map_or(text.len(), |(i, _)| i);
    let word = text[..end].rfind(' ').unwrap_or(end);
    format!("{}…", text[..word].trim_end_matches([',', ';', ' ']))
}
