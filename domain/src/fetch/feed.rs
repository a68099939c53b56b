//! Feeds and their items, independent of the format (RSS, Atom, JSON Feed).

use crate::PublicationDate;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A feed as it was read. Texts are plain, without markup.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Feed {
    pub title: Option<String>,
    /// The site that the feed belongs to.
    pub address: Option<String>,
    pub description: Option<String>,
    pub language: Option<String>,
    pub updated: Option<PublicationDate>,
    /// In the order of the feed.
    pub items: Vec<FeedItem>,
    /// Not well-formed, so that it was read as far as it could be understood.
    pub is_mended: bool,
}

/// One thing that a feed announces.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct FeedItem {
    /// As the feed names it; stable where the feed is.
    pub id: Option<String>,
    pub title: Option<String>,
    pub address: Option<String>,
    pub published: Option<PublicationDate>,
    pub updated: Option<PublicationDate>,
    pub byline: Option<String>,
    pub summary: Option<String>,
    /// The whole text, where the feed carries it.
    pub content: Option<String>,
}

crate::words! {
    /// Group of a feed, which decides on its source.
    #[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
    #[serde(rename_all = "snake_case")]
    pub enum FeedGroup {
        #[default]
        Outlets = "outlets",
        UnitedNations = "united_nations",
        CentralBanks = "central_banks",
        Governments = "governments",
    }
}

impl FeedGroup {
    /// The source that shows it.
    pub const fn source(self) -> &'static str {
        match self {
            Self::Outlets => "feeds",
            _ => self.as_str(),
        }
    }
}

/// A feed to follow.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct FeedEntry {
    pub title: String,
    pub address: String,
    pub group: FeedGroup,
    /// One of [`REGIONS`]; empty: unknown.
    pub region: String,
    /// ISO 639-1; empty: unknown.
    pub language: String,
}

/// A feed that was found at an address.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct FoundFeed {
    pub address: String,
    pub title: Option<String>,
    pub language: Option<String>,
    pub items: usize,
}

/// Parts of the world that feeds report from; `world` is all of them.
pub const REGIONS: [&str; 11] = [
    "africa",
    "east_asia",
    "eurasia",
    "europe",
    "latin_america",
    "middle_east",
    "north_america",
    "oceania",
    "south_asia",
    "south_east_asia",
    "world",
];

/// The region that a person or a list means: `middle_east` by `Middle East`.
pub fn region_of(text: &str) -> Option<&'static str> {
    let word = text.trim().to_lowercase().replace([' ', '-'], "_");
    REGIONS.into_iter().find(|region| *region == word)
}

/// The language that a feed or a list means: `en` by `en-GB`.
pub fn language_of(text: &str) -> Option<String> {
    let code = text.trim().split(['-', '_']).next()?.to_lowercase();
    is_language(&code).then_some(code)
}

/// Whether a code is one of ISO 639-1.
pub fn is_language(code: &str) -> bool {
    const CODES: &str = "aa ab ae af ak am an ar as av ay az ba be bg bi bm bn bo br bs ca ce ch co cr cs cu cv cy da de dv dz ee el en eo es \
        et eu fa ff fi fj fo fr fy ga gd gl gn gu gv ha he hi ho hr ht hu hy hz ia id ie ig ii ik io is it iu ja jv ka kg ki kj kk kl km \
        kn ko kr ks ku kv kw ky la lb lg li ln lo lt lu lv mg mh mi mk ml mn mr ms mt my na nb nd ne ng nl nn no nr nv ny oc oj om or os \
        pa pi pl ps pt qu rm rn ro ru rw sa sc sd se sg si sk sl sm sn so sq sr ss st su sv sw ta te tg th ti tk tl tn to tr ts tt tw ty \
        ug uk ur uz ve vi vo wa wo xh yi yo za zh zu";
    code.len() == 2 && CODES.split(' ').any(|known| known == code)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_language_is_a_known_code_of_two_letters() {
        assert!(["en", "ar", "zu", "et", "kn", "pa", "ug"].into_iter().all(is_language));
        assert!(["", " ", "e", "xx", "klingon", "EN", "en ar"].into_iter().all(|code| !is_language(code)));
    }

    #[test]
    fn stated_languages_and_regions_are_matched_whole() {
        let languages = [("en", "en"), (" en-GB ", "en"), ("PT_br", "pt"), ("german", ""), ("spa", ""), ("-", ""), ("", "")];
        for (stated, expected) in languages {
            assert_eq!(language_of(stated).unwrap_or_default(), expected, "{stated}");
        }
        let regions =
            [("Africa", "africa"), ("South-East Asia", "south_east_asia"), (" world ", "world"), ("News", ""), ("", "")];
        for (stated, expected) in regions {
            assert_eq!(region_of(stated).unwrap_or_default(), expected, "{stated}");
        }
    }
}
