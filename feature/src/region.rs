//! Regions: countries (ISO 3166-1) and UN M49 areas, and the countries that a text names.
//!
//! Names and codes come from the packages `country-emoji` and `locale-codes`, more names and the words around them from
//! `regions.toml`, capitals from `config/locale`. Only names in English are found, and no places within countries but capitals.

mod mentions;

use domain::text::words;
use serde::Deserialize;
use std::{
    collections::{BTreeMap, BTreeSet, HashMap},
    sync::LazyLock,
};

/// Code of the region of what names no place.
pub const NOWHERE: &str = "000";
/// Label of the same.
const NOWHERE_LABEL: &str = "No country named";
/// Region that holds all others, which says nothing.
const WORLD: &str = "001";
const WORLD_LABEL: &str = "World";

domain::words! {
    /// Precision of the place of a response.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum GeoPrecision {
        /// A country or an area. A map draws it at the centre.
        Region = "region",
    }
}

/// A country, an M49 area, or nowhere.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Region {
    /// Three digits.
    pub code: String,
}

impl Region {
    pub fn unknown() -> Self {
        Self { code: NOWHERE.to_owned() }
    }

    pub fn is_unknown(&self) -> bool {
        self.code == NOWHERE
    }

    pub fn label(&self) -> &'static str {
        Regions::shared().label(&self.code)
    }

    /// Returns how exactly it names a place; none for nowhere.
    pub fn precision(&self) -> Option<GeoPrecision> {
        (!self.is_unknown()).then_some(GeoPrecision::Region)
    }
}

/// Returns whether a code names a place smaller than the world.
pub fn is_place(code: &str) -> bool {
    code != NOWHERE && code != WORLD
}

struct Area {
    name: String,
    parent: Option<String>,
    is_country: bool,
}

/// Countries and areas with their names.
pub struct Regions {
    areas: BTreeMap<String, Area>,
    /// Codes of countries by their names without signs and case; empty for names that only look like one.
    countries: HashMap<String, String>,
    by_alpha2: HashMap<String, String>,
    /// Codes of countries by the names of their capitals.
    capitals: HashMap<String, String>,
    words: RegionWords,
}

/// Content of `regions.toml`.
#[derive(Default, Deserialize)]
struct RegionWords {
    /// Names that only look like one.
    none: Vec<String>,
    /// Abbreviations that are words in a text without small letters.
    shouted: BTreeSet<String>,
    /// Words behind the country of one who acts or speaks elsewhere.
    abroad: BTreeSet<String>,
    /// Capitals that are other places or names as often.
    no_capitals: BTreeSet<String>,
    /// More names of countries by their alpha-2 codes.
    #[serde(flatten)]
    names: BTreeMap<String, Vec<String>>,
}

/// Gazetteer of the text analysis. The fields of a country stand between bars: name, other names, demonyms, capitals.
#[derive(Default, Deserialize)]
struct Gazetteer {
    countries: String,
}

static REGIONS: LazyLock<Regions> = LazyLock::new(Regions::load);

impl Regions {
    pub fn shared() -> &'static Self {
        &REGIONS
    }

    fn load() -> Self {
        let world = Area { name: WORLD_LABEL.to_owned(), parent: None, is_country: false };
        let mut areas: BTreeMap<String, Area> = BTreeMap::from([(WORLD.to_owned(), world)]);
        let mut countries: HashMap<String, String> = HashMap::new();
        let mut by_alpha2: HashMap<String, String> = HashMap::new();
        // Names that may be short for several: Korea, Congo.
        let mut short: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
        let name_of = |code: u16| locale_codes::region::lookup(code).map(|region| region.name.clone());
        for info in locale_codes::country::all_codes().iter().filter_map(|code| locale_codes::country::lookup(code)) {
            let above = [info.region_code, info.sub_region_code, info.intermediate_region_code];
            let mut parent = Some(WORLD.to_owned());
            for code in above.into_iter().flatten() {
                let Some(name) = name_of(code) else { continue };
                areas.entry(three_digits(code)).or_insert(Area { name, parent, is_country: false });
                parent = Some(three_digits(code));
            }
            let (code, name) = (three_digits(info.country_code), name_of(info.country_code).unwrap_or_default());
            let common = country_emoji::code_to_name(&info.short_code).unwrap_or_default();
            for full in [name.as_str(), common] {
                countries.insert(key(full), code.clone());
            }
            short.entry(key(plain_name(&name))).or_default().insert(code.clone());
            by_alpha2.insert(info.short_code.clone(), code.clone());
            // Short where there is a short name: "Russia".
            let label = if common.is_empty() { name } else { common.to_owned() };
            areas.insert(code, Area { name: label, parent, is_country: true });
        }
        for (name, codes) in short {
            if let (1, Some(code)) = (codes.len(), codes.into_iter().next()) {
                countries.entry(name).or_insert(code);
            }
        }
        let words = region_words().unwrap_or_else(|error| {
            tracing::error!(%error, "names of countries unreadable");
            RegionWords::default()
        });
        for (alpha2, names) in &words.names {
            let code = by_alpha2.get(alpha2).cloned().unwrap_or_default();
            countries.extend(names.iter().map(|name| (key(name), code.clone())));
        }
        countries.extend(words.none.iter().map(|name| (key(name), String::new())));
        countries.remove("");
        let mut capitals = HashMap::new();
        for (country, capital) in capital_names() {
            if let (Some(code), false) = (countries.get(&key(&country)), words.no_capitals.contains(&capital)) {
                capitals.insert(key(&capital), code.clone());
            }
        }
        Self { areas, countries, by_alpha2, capitals, words }
    }

    pub fn label(&self, code: &str) -> &str {
        self.areas.get(code).map_or(NOWHERE_LABEL, |area| area.name.as_str())
    }

    /// Returns all countries and areas by their names, as codes with labels.
    pub fn choices(&self) -> Vec<(String, String)> {
        let places = self.areas.iter().filter(|(code, _)| is_place(code));
        let mut places: Vec<(String, String)> = places.map(|(code, area)| (code.clone(), area.name.clone())).collect();
        places.sort_by(|one, other| one.1.cmp(&other.1));
        places
    }

    /// Returns the region of a code of a country or area; none for another text.
    pub fn find(&self, code: &str) -> Option<Region> {
        (is_place(code) && self.areas.contains_key(code)).then(|| Region { code: code.to_owned() })
    }

    /// Returns the area above a country or area.
    pub fn parent(&self, code: &str) -> Option<&str> {
        self.areas.get(code)?.parent.as_deref()
    }

    pub fn is_country(&self, code: &str) -> bool {
        self.areas.get(code).is_some_and(|area| area.is_country)
    }

    /// Returns the row of a region in the matrix: the smallest area above a country, an area itself, or nowhere.
    pub fn row<'a>(&'a self, code: &'a str) -> &'a str {
        match self.areas.get(code) {
            Some(Area { is_country: true, parent, .. }) => parent.as_deref().unwrap_or(NOWHERE),
            Some(_) => code,
            None => NOWHERE,
        }
    }

    /// Returns the codes of all countries in the row of a region.
    pub fn countries_of_row(&self, code: &str) -> Vec<String> {
        let row = self.row(code);
        let countries = self.areas.iter().filter(|(code, area)| area.is_country && self.is_within(code, row));
        countries.map(|(code, _)| code.clone()).collect()
    }

    /// Returns the codes of an area and of all that lies in it.
    pub fn codes_within<'a>(&'a self, area: &'a str) -> Vec<&'a str> {
        let inside = self.areas.keys().map(String::as_str).filter(|code| *code != area && self.is_within(code, area));
        std::iter::once(area).chain(inside).collect()
    }

    /// Returns whether `code` is `area` or lies in it.
    pub fn is_within(&self, code: &str, area: &str) -> bool {
        self.path(code).any(|one| one == area)
    }

    /// Returns a region with those above it.
    pub fn path<'a>(&'a self, code: &'a str) -> impl Iterator<Item = &'a str> {
        std::iter::successors(Some(code), move |code| self.parent(code))
    }

    /// Returns the names of a region and of those that hold it, without the world.
    pub fn names<'a>(&'a self, code: &'a str) -> impl Iterator<Item = &'a str> {
        self.path(code).filter(|code| is_place(code)).map(move |code| self.label(code))
    }

    /// Returns the smallest region that holds all countries.
    pub fn common<'a>(&self, codes: impl IntoIterator<Item = &'a str>) -> Region {
        let mut codes = codes.into_iter();
        let Some(first) = codes.next() else { return Region::unknown() };
        let mut shared: Vec<&str> = self.path(first).collect();
        for code in codes {
            shared.retain(|area| self.is_within(code, area));
        }
        shared.first().map_or_else(Region::unknown, |code| Region { code: (*code).to_owned() })
    }
}

/// Reads more names of countries, and of their peoples, and the words around them.
fn region_words() -> Result<RegionWords, toml::de::Error> {
    toml::from_str(include_str!("../regions.toml"))
}

/// Returns the countries of the gazetteer with their capitals.
fn capital_names() -> Vec<(String, String)> {
    let gazetteer: Gazetteer = toml::from_str(include_str!("../../config/locale/en/places.toml")).unwrap_or_else(|error| {
        tracing::error!(%error, "gazetteer unreadable");
        Gazetteer::default()
    });
    let mut found = vec![];
    for line in gazetteer.countries.lines() {
        let fields: Vec<&str> = line.split('|').map(str::trim).collect();
        if let [country, _, _, capitals] = fields[..] {
            found.extend(capitals.split(',').map(|capital| (country.to_owned(), capital.trim().to_owned())));
        }
    }
    found.retain(|(_, capital)| !capital.is_empty());
    found
}

fn three_digits(code: u16) -> String {
    format!("{code:03}")
}

/// A name without what follows in brackets or behind a comma: "Bolivia (Plurinational State of)".
fn plain_name(name: &str) -> &str {
    name.split(['(', ',']).next().unwrap_or(name).trim()
}

/// A name without signs and case.
fn key(name: &str) -> String {
    joined(&words(name).collect::<Vec<_>>())
}

/// The words of a name, without case.
fn joined(words: &[&str]) -> String {
    words.join(" ").to_lowercase()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_has_a_code_that_exists() {
        let known = &Regions::shared().by_alpha2;
        let names = region_words().unwrap().names;
        let unknown: Vec<&String> = names.keys().filter(|code| !known.contains_key(*code)).collect();
        assert_eq!(unknown, Vec::<&String>::new());
    }

    #[test]
    fn the_row_of_a_country_is_its_area() {
        let regions = Regions::shared();
        assert_eq!(regions.row("466"), "011", "Mali is in Western Africa");
        assert_eq!(regions.row("011"), "011");
        assert_eq!(regions.row("999"), NOWHERE);
        assert!(regions.is_within("466", "002") && !regions.is_within("642", "002"));
        assert_eq!(regions.names("466").collect::<Vec<_>>(), ["Mali", "Western Africa", "Sub-Saharan Africa", "Africa"]);
    }
}
