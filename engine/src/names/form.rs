//! Ranking of name forms for display: a plain name before one with a title, a host name last.

use super::{
    NameMatcher,
    key::{NameKey, TokenKind},
};

/// Name form, prepared for comparison with other forms of the same entity.
#[derive(Clone, Debug)]
pub struct NameForm {
    /// Words of the name, without titles and small words.
    words: Vec<String>,
    has_title: bool,
    is_host: bool,
}

/// Rank of a form, best first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum FormRank {
    Plain,
    /// With a title, rank or description before a name also known without it: "Sen. John McCain", "state-run Anadolu".
    Titled,
    /// `www.example.org`.
    Host,
}

impl NameForm {
    /// Returns the rank of the form among the other forms.
    pub fn rank<'a>(&self, mut others: impl Iterator<Item = &'a Self>) -> FormRank {
        match self.is_host {
            true => FormRank::Host,
            false if others.any(|other| self.is_titled_form_of(other)) => FormRank::Titled,
            false => FormRank::Plain,
        }
    }

    /// Returns whether `other` is the same name without a title. One shared word suffices: "Governor Bush" and "George W. Bush".
    fn is_titled_form_of(&self, other: &Self) -> bool {
        self.has_title && !other.has_title && !other.is_host && self.words.iter().any(|word| other.words.contains(word))
    }
}

impl NameMatcher {
    /// Prepares a written form of a name.
    pub fn form(&self, name: &str) -> NameForm {
        let key = self.normalise(name);
        let described = self.described_words(name);
        let titles = key.tokens.iter().skip(described).take_while(|token| token.kind == TokenKind::Title).count();
        let before = described + titles;
        NameForm { words: words_after(&key, before), has_title: before > 0, is_host: is_host_name(name) }
    }

    /// Returns the common key of an agency's spellings: "AP" and "The Associated Press (AP)".
    pub fn agency_key(&self, agency: &str) -> String {
        let plain = agency.split('(').next().filter(|plain| !plain.trim().is_empty()).unwrap_or(agency);
        let folded = self.normalise(plain).folded;
        let bare = folded.strip_prefix("the ").unwrap_or(&folded);
        self.words.agencies.get(bare).cloned().unwrap_or_else(|| bare.to_owned())
    }

    /// Returns the number of leading description words: "state-run", "Kremlin-backed".
    fn described_words(&self, name: &str) -> usize {
        let first = name.split_whitespace().next().unwrap_or_default().to_lowercase();
        let parts = first.split('-').count();
        let ending = first.rsplit_once('-').map(|(_, ending)| format!("-{ending}"));
        let is_listed = |word: &str| self.words.descriptors.contains(word);
        let describes = is_listed(&first) || ending.is_some_and(|ending| is_listed(&ending));
        if describes && name.split_whitespace().nth(1).is_some() { parts } else { 0 }
    }
}

fn words_after(key: &NameKey, before: usize) -> Vec<String> {
    let named = key.tokens.iter().skip(before).filter(|token| matches!(token.kind, TokenKind::Word | TokenKind::Number));
    named.map(|token| token.text.clone()).collect()
}

/// Returns whether a name is a host name: dotted labels, the last in small letters ("www.reuters.com", not "J.K. Rowling" or
/// "U.S.").
fn is_host_name(name: &str) -> bool {
    let is_label = |label: &str| !label.is_empty() && label.chars().all(|c| c.is_alphanumeric() || c == '-');
    let Some((rest, last)) = name.trim().rsplit_once('.') else { return false };
    rest.split('.').all(is_label) && last.len() >= 2 && last.chars().all(|c| c.is_ascii_lowercase())
}

#[cfg(test)]
mod tests {
    use super::{super::NameMatcher, FormRank};

    /// The rank of the first form beside the others.
    fn rank(forms: &[&str]) -> FormRank {
        let names = NameMatcher::default();
        let forms: Vec<_> = forms.iter().map(|form| names.form(form)).collect();
        forms[0].rank(forms[1..].iter())
    }

    #[test]
    fn a_title_counts_only_beside_the_same_name_without_it() {
        for (titled, plain) in [
            ("Sen. John McCain", "John McCain"),
            ("Governor Bush", "George W. Bush"),
            ("US President Orrin Vale", "Orrin Vale"),
            ("Ambassador Pavel Orlov", "Pawel Orlov"),
            ("state-run Anadolu news agency", "Anadolu"),
            ("Kremlin-backed Channel Nine", "Channel Nine"),
        ] {
            assert_eq!(rank(&[titled, plain]), FormRank::Titled, "{titled}");
            assert_eq!(rank(&[plain, titled]), FormRank::Plain, "{plain}");
            assert_eq!(rank(&[titled]), FormRank::Plain, "{titled} alone");
        }
        assert_eq!(rank(&["General Motors", "GM"]), FormRank::Plain);
        assert_eq!(rank(&["Stephen King", "Stephen"]), FormRank::Plain);
        assert_eq!(rank(&["Amartya Sen", "Amartya"]), FormRank::Plain);
    }

    #[test]
    fn a_host_name_is_no_name() {
        for host in ["www.reuters.com", "Reuters.com", "news.example.co.uk"] {
            assert_eq!(rank(&[host]), FormRank::Host, "{host}");
        }
        for name in ["J.K.Rowling", "J. K. Rowling", "U.S.", "St. Petersburg", "Reuters"] {
            assert_eq!(rank(&[name]), FormRank::Plain, "{name}");
        }
    }

    #[test]
    fn an_agency_is_one_however_it_is_credited() {
        let names = NameMatcher::default();
        let key = |agency| names.agency_key(agency);
        assert!(["AP", "The Associated Press", "Associated Press (AP)"].map(key).iter().all(|key| key == "associated press"));
        assert_eq!(key("Coastal Wire"), "coastal wire");
        assert_ne!(key("Agence France-Presse"), key("AP"));
    }
}
