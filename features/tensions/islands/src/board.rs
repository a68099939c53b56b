//! Data of the matrix, the map and the slider.

use serde::{Deserialize, Serialize};

/// Theme of tensions.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Theme {
    #[serde(rename = "c")]
    pub code: String,
    #[serde(rename = "l")]
    pub label: String,
}

/// Country or area of UN M49, by its three-digit code; those of countries are also ISO 3166 numeric codes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Area {
    #[serde(rename = "c")]
    pub code: String,
    #[serde(rename = "l")]
    pub label: String,
    /// Region of a country: a row of the matrix.
    #[serde(rename = "p", default, skip_serializing_if = "Option::is_none")]
    pub parent: Option<String>,
}

/// Heat of one place and theme over the days of the board. Islands carry it as one string, a third of the bytes of JSON in HTML.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub struct HeatSeries {
    pub place: String,
    /// Code of the theme; none for all themes of the place.
    pub theme: Option<String>,
    /// Tensions with heat on the latest day, and those that nothing answers.
    pub tensions: u32,
    pub unanswered: u32,
    /// Percent per day of the hottest tension, oldest first.
    pub heat: Vec<u8>,
    /// Its independent origins per day, 255 at most.
    pub origins: Vec<u8>,
    /// Percent per day of the tension that is hottest by dated evidence, which trends compare; empty where that is the heat.
    pub dated_heat: Vec<u8>,
}

impl HeatSeries {
    /// Returns the heat that trends compare.
    pub(crate) fn compared_heat(&self) -> &[u8] {
        if self.dated_heat.is_empty() { &self.heat } else { &self.dated_heat }
    }
}

impl From<HeatSeries> for String {
    fn from(series: HeatSeries) -> Self {
        let HeatSeries { place, theme, tensions, unanswered, heat, origins, dated_heat } = series;
        let (heat, origins) = (hex::encode(heat), hex::encode(origins));
        let text = format!("{place} {tensions} {unanswered} {heat} {origins} {}", theme.unwrap_or_default());
        if dated_heat.is_empty() { text } else { format!("{text} {}", hex::encode(dated_heat)) }
    }
}

impl TryFrom<String> for HeatSeries {
    type Error = &'static str;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        const REFUSAL: &str = "not a series of heat";
        let mut parts = text.splitn(7, ' ');
        let mut next = || parts.next().ok_or(REFUSAL);
        let number = |text: &str| text.parse::<u32>().map_err(|_| REFUSAL);
        Ok(Self {
            place: next()?.to_owned(),
            tensions: number(next()?)?,
            unanswered: number(next()?)?,
            heat: hex::decode(next()?).map_err(|_| REFUSAL)?,
            origins: hex::decode(next()?).map_err(|_| REFUSAL)?,
            theme: Some(next()?.to_owned()).filter(|theme| !theme.is_empty()),
            dated_heat: hex::decode(parts.next().unwrap_or_default()).map_err(|_| REFUSAL)?,
        })
    }
}

/// Data of the pictures. `regions` are the rows of the matrix; `countries` are those of the map with any heat.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct HeatBoard {
    /// ISO dates, oldest first.
    pub days: Vec<String>,
    pub themes: Vec<Theme>,
    pub regions: Vec<Area>,
    pub countries: Vec<Area>,
    pub series: Vec<HeatSeries>,
    /// Change in hundredths from which heat rises or falls.
    pub least_change: u8,
    /// Codes of all countries of the chosen region, to which the map zooms; none without one.
    pub zoom: Vec<String>,
}

impl HeatBoard {
    /// Returns the position of a day; of the latest one without a day of the board.
    pub(crate) fn position(&self, day: Option<&str>) -> usize {
        day.and_then(|day| self.days.iter().position(|other| other == day)).unwrap_or_else(|| self.latest())
    }

    /// Returns the position of the latest day.
    pub(crate) fn latest(&self) -> usize {
        self.days.len().saturating_sub(1)
    }

    /// Returns the series of a place and a theme, or of all its themes.
    pub(crate) fn series_of(&self, place: &str, theme: Option<&str>) -> Option<&HeatSeries> {
        self.series.iter().find(|series| series.place == place && series.theme.as_deref() == theme)
    }

    /// Returns a region or country by its code.
    pub(crate) fn place(&self, code: &str) -> Option<&Area> {
        self.regions.iter().chain(&self.countries).find(|place| place.code == code)
    }

    /// Returns the row of the matrix that a region or country belongs to.
    pub(crate) fn region_of(&self, code: &str) -> Option<&Area> {
        let find = |code: &str| self.regions.iter().find(|region| region.code == code);
        find(code).or_else(|| self.countries.iter().find(|country| country.code == code)?.parent.as_deref().and_then(find))
    }

    /// Returns the hottest theme of a place on a day.
    pub(crate) fn hottest_theme(&self, place: &str, day: usize) -> Option<&Theme> {
        let heat = |theme: &Theme| self.series_of(place, Some(theme.code.as_str()))?.heat.get(day).copied();
        let (theme, _) = self.themes.iter().filter_map(|theme| Some((theme, heat(theme)?))).max_by_key(|(_, heat)| *heat)?;
        Some(theme)
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    fn series(place: &str, theme: Option<&str>, heat: [u8; 3]) -> HeatSeries {
        let theme = theme.map(str::to_owned);
        HeatSeries {
            place: place.to_owned(),
            theme,
            tensions: 3,
            unanswered: 1,
            heat: heat.to_vec(),
            origins: vec![5; 3],
            dated_heat: vec![],
        }
    }

    fn place(code: &str, label: &str, parent: Option<&str>) -> Area {
        Area { code: code.to_owned(), label: label.to_owned(), parent: parent.map(str::to_owned) }
    }

    /// Two regions, two themes and two countries over three days.
    pub(crate) fn board() -> HeatBoard {
        let theme = |code: &str, label: &str| Theme { code: code.to_owned(), label: label.to_owned() };
        let rare = HeatSeries { origins: vec![2; 3], unanswered: 0, ..series("145", Some("work"), [20, 30, 44]) };
        HeatBoard {
            days: ["2026-11-26", "2026-11-27", "2026-11-28"].map(str::to_owned).to_vec(),
            themes: vec![theme("food", "Food"), theme("work", "Work")],
            regions: vec![place("011", "Western Africa", None), place("145", "Western Asia", None)],
            countries: vec![place("466", "Mali", Some("011")), place("422", "Lebanon", Some("145"))],
            series: vec![
                series("011", None, [50, 60, 71]),
                series("011", Some("food"), [50, 60, 71]),
                series("011", Some("work"), [55, 9, 22]),
                series("145", None, [20, 30, 44]),
                rare,
                series("466", None, [40, 50, 60]),
                series("466", Some("food"), [40, 50, 60]),
                series("422", None, [20, 30, 44]),
            ],
            least_change: 5,
            zoom: vec![],
        }
    }

    #[test]
    fn a_board_comes_back_from_the_properties_of_its_island() {
        let json = serde_json::to_string(&board()).unwrap();
        assert!(json.contains("\"011 3 1 323c47 050505 food\"") && json.contains("\"011 3 1 323c47 050505 \""), "{json}");
        assert_eq!(serde_json::from_str::<HeatBoard>(&json).unwrap(), board());
        assert!(serde_json::from_str::<HeatSeries>("\"011 3 1\"").is_err());
        let undated = HeatSeries { dated_heat: vec![40; 3], ..series("011", None, [50, 60, 71]) };
        let text = serde_json::to_string(&undated).unwrap();
        assert_eq!(text, "\"011 3 1 323c47 050505  282828\"");
        assert_eq!(serde_json::from_str::<HeatSeries>(&text).unwrap(), undated);
    }

    #[test]
    fn a_country_belongs_to_the_row_of_its_region() {
        let board = board();
        let codes = ["466", "011", "999"].map(|code| board.region_of(code).map(|region| region.code.as_str()));
        assert_eq!(codes, [Some("011"), Some("011"), None]);
    }

    #[test]
    fn the_hottest_theme_changes_with_the_day() {
        let board = board();
        let codes = [0, 1, 9].map(|day| board.hottest_theme("011", day).map(|theme| theme.code.as_str()));
        assert_eq!(codes, [Some("work"), Some("food"), None]);
        assert_eq!((board.position(Some("2026-11-27")), board.position(Some("1999-01-01"))), (1, 2));
    }
}
