//! The entities of one document: its mentions, brought together.

use std::collections::HashMap;

use super::mentions::{Kind, Mention};
use super::{Text, fold};

/// One person, organisation, place or other thing that a document names.
#[derive(Clone, Debug, PartialEq)]
pub struct DocumentEntity {
    /// The fullest name.
    pub canonical: String,
    /// Other ways in which the document names it, in order of appearance.
    pub aliases: Vec<String>,
    pub kind: Kind,
    /// Indices into the mentions, in order.
    pub mentions: Vec<usize>,
}

impl Text<'_> {
    /// Brings mentions of one thing together: the same name, a family name after a full name, an acronym and its long form.
    pub fn entities(&self, mentions: &[Mention]) -> Vec<DocumentEntity> {
        let keys: Vec<(Kind, String)> = mentions.iter().map(|mention| (mention.kind, name_key(&mention.canonical))).collect();
        let mut groups: Vec<usize> = (0..mentions.len()).collect();
        let mut first: HashMap<&(Kind, String), usize> = HashMap::new();
        for (at, key) in keys.iter().enumerate() {
            groups[at] = *first.entry(key).or_insert(at);
        }
        for at in (0..mentions.len()).filter(|at| mentions[*at].demonym) {
            // "Kestravian" is of "Kestravia", where both stand.
            let place = keys[at].1.strip_suffix('n').and_then(|stem| first.get(&(Kind::Place, stem.to_owned())));
            if let Some(place) = place {
                join(&mut groups, at, *place);
            }
        }
        for (at, mention) in mentions.iter().enumerate() {
            if let Some(long) = mention.acronym_of {
                join(&mut groups, at, long);
            }
        }
        self.join_short_names(mentions, &mut groups);
        let mut members: Vec<Vec<usize>> = vec![Vec::new(); mentions.len()];
        for at in 0..mentions.len() {
            let root = find(&groups, at);
            members[root].push(at);
        }
        let mut entities: Vec<DocumentEntity> =
            members.into_iter().filter(|group| !group.is_empty()).map(|group| self.entity(mentions, group)).collect();
        entities.sort_by_key(|entity| entity.mentions[0]);
        entities
    }

    /// A single name joins the one person with a longer name that contains it at an end.
    fn join_short_names(&self, mentions: &[Mention], groups: &mut [usize]) {
        let mut by_part: HashMap<(Kind, String), Vec<usize>> = HashMap::new();
        for (at, mention) in mentions.iter().enumerate() {
            if groups[at] != at || !matches!(mention.kind, Kind::Person | Kind::Organisation) {
                continue;
            }
            let key = name_key(&mention.canonical);
            let words: Vec<&str> = key.split(' ').filter(|word| word.len() > 1).collect();
            if words.len() < 2 {
                continue;
            }
            for part in 0..words.len() {
                let suffix = words[part..].join(" ");
                let prefix = words[..words.len() - part].join(" ");
                let person = mention.kind == Kind::Person;
                for name in [suffix, prefix].into_iter().filter(|name| name.len() < key.len() && (person || name.contains(' ')))
                {
                    by_part.entry((mention.kind, name)).or_default().push(at);
                }
            }
        }
        for (at, mention) in mentions.iter().enumerate() {
            let key = (mention.kind, name_key(&mention.canonical));
            let Some(longer) = by_part.get(&key) else { continue };
            let roots: std::collections::BTreeSet<usize> = longer.iter().map(|long| find(groups, *long)).collect();
            let before = longer.iter().rev().find(|long| **long < at);
            match (roots.len(), before) {
                (1, _) => join(groups, at, longer[0]),
                (_, Some(nearest)) if mention.kind == Kind::Person => join(groups, at, *nearest),
                _ => {}
            }
        }
    }

    fn entity(&self, mentions: &[Mention], group: Vec<usize>) -> DocumentEntity {
        let acronyms: Vec<usize> = group.iter().copied().filter(|at| mentions[*at].acronym_of.is_some()).collect();
        let full = group.iter().copied().filter(|at| !acronyms.contains(at) || acronyms.len() == group.len());
        let best = full.max_by_key(|at| (mentions[*at].canonical.chars().count(), std::cmp::Reverse(*at))).unwrap_or(group[0]);
        let canonical = mentions[best].canonical.clone();
        let mut aliases: Vec<String> = Vec::new();
        for at in &group {
            let mention = &mentions[*at];
            let surface = super::one_line(mention.span.slice(self.source()));
            for name in [mention.canonical.clone(), surface] {
                if name_key(&name) != name_key(&canonical) && !aliases.iter().any(|alias| name_key(alias) == name_key(&name)) {
                    aliases.push(name);
                }
            }
        }
        DocumentEntity { canonical, aliases, kind: mentions[best].kind, mentions: group }
    }
}

/// A name for comparing: folded, without marks, one space between words.
fn name_key(name: &str) -> String {
    let folded = fold(name);
    let words: Vec<&str> = folded
        .split(|character: char| !character.is_alphanumeric() && character != '\'')
        .filter(|word| !word.is_empty())
        .collect();
    words.join(" ")
}

fn find(groups: &[usize], mut at: usize) -> usize {
    while groups[at] != at {
        at = groups[at];
    }
    at
}

fn join(groups: &mut [usize], one: usize, other: usize) {
    let (one, other) = (find(groups, one), find(groups, other));
    groups[one.max(other)] = one.min(other);
}

#[cfg(test)]
mod tests {
    use super::super::Lexicon;
    use super::*;

    fn check(text: &str, expect: &[(&str, Kind, &[&str])]) {
        let reading = Text::new(Lexicon::english(), text);
        let entities = reading.entities(&reading.mentions());
        let found: Vec<_> = entities
            .iter()
            .map(|entity| {
                (entity.canonical.as_str(), entity.kind, entity.aliases.iter().map(String::as_str).collect::<Vec<_>>())
            })
            .collect();
        let expect: Vec<_> = expect.iter().map(|(name, kind, aliases)| (*name, *kind, aliases.to_vec())).collect();
        assert_eq!(found, expect);
    }

    #[test]
    fn a_family_name_is_the_full_name_before_it() {
        check(
            "Ross Alger was born in Calgary. Alger died there.",
            &[("Ross Alger", Kind::Person, &["Alger"]), ("Calgary", Kind::Place, &[])],
        );
    }

    #[test]
    fn an_acronym_is_its_long_form() {
        check(
            "TERRORISTS OF THE FARABUNDO MARTI NATIONAL LIBERATION FRONT [FMLN] LEFT.  THE FMLN DENIED IT.",
            &[("Farabundo Marti National Liberation Front", Kind::Organisation, &["FMLN"])],
        );
    }

    #[test]
    fn a_demonym_is_its_country() {
        check("El Salvador rejoiced. Salvadorans danced.", &[("El Salvador", Kind::Place, &["Salvadorans"])]);
    }
}
