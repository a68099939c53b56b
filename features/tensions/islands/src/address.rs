//! State of the heat board in the address of its page.

use serde::{Deserialize, Serialize};

/// Windows of a trend in days: the usual one and the long one.
const WINDOWS: [u16; 2] = [7, 30];

/// Picture that is open.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum BoardView {
    Matrix,
    Map,
}

/// State of the board, the query of its address: `?day=2026-11-28&region=011&theme=food&window=30&view=map&unanswered=1`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct BoardState {
    /// ISO date; without it, the latest day.
    pub day: Option<String>,
    /// Code of the chosen region or country.
    pub region: Option<String>,
    pub theme: Option<String>,
    /// Days of the trend: 7 or 30.
    pub window: u16,
    pub view: BoardView,
    /// Whether only tensions without a response count.
    pub unanswered: bool,
    /// List below the board, which links keep.
    pub list: Option<String>,
}

/// Names of the query that the board reads and writes.
pub const BOARD_FIELDS: [&str; 7] = ["day", "region", "theme", "window", "view", "unanswered", "list"];

impl Default for BoardState {
    fn default() -> Self {
        let (window, view) = (WINDOWS[0], BoardView::Matrix);
        Self { day: None, region: None, theme: None, window, view, unanswered: false, list: None }
    }
}

impl BoardState {
    /// Reads a query; unknown names and values are ignored.
    pub fn parse(query: &str) -> Self {
        let mut state = Self::default();
        for (name, value) in form_urlencoded::parse(query.trim_start_matches('?').as_bytes()) {
            let code = (!value.is_empty()).then(|| value.to_string());
            match &*name {
                "day" => state.day = code,
                "region" => state.region = code,
                "theme" => state.theme = code,
                "window" => state.window = WINDOWS.into_iter().find(|days| days.to_string() == value).unwrap_or(WINDOWS[0]),
                "view" if value == "map" => state.view = BoardView::Map,
                "unanswered" => state.unanswered = value == "1",
                "list" => state.list = code,
                _ => {}
            }
        }
        state
    }

    /// Returns the query, without what is usual.
    pub fn query(&self) -> String {
        self.query_within("")
    }

    /// Returns the query of an address with this state: other names than those of the board stay as they are.
    pub fn query_within(&self, search: &str) -> String {
        let others = form_urlencoded::parse(search.trim_start_matches('?').as_bytes());
        let mut query = form_urlencoded::Serializer::new(String::new());
        query.extend_pairs(others.filter(|(name, _)| !BOARD_FIELDS.contains(&&**name)));
        query.extend_pairs(self.fields()).finish()
    }

    /// Returns the names and values of the query, without what is usual.
    pub fn fields(&self) -> Vec<(&'static str, String)> {
        let fields = [
            ("day", self.day.clone()),
            ("region", self.region.clone()),
            ("theme", self.theme.clone()),
            ("window", (self.window != WINDOWS[0]).then(|| self.window.to_string())),
            ("view", (self.view == BoardView::Map).then(|| "map".to_owned())),
            ("unanswered", self.unanswered.then(|| "1".to_owned())),
            ("list", self.list.clone()),
        ];
        fields.into_iter().filter_map(|(name, value)| Some((name, value?))).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_query_comes_back_as_it_was() {
        let full = "day=2026-11-28&region=011&theme=food&window=30&view=map&unanswered=1&list=cooled";
        for query in ["", full, "theme=land+%26+water"] {
            assert_eq!(BoardState::parse(query).query(), query);
        }
    }

    #[test]
    fn another_day_changes_nothing_else_in_the_address() {
        let state = BoardState { day: Some("2026-11-27".to_owned()), ..BoardState::parse("list=cooled") };
        assert_eq!(state.query_within("?page=2&day=2026-11-28&list=cooled"), "page=2&day=2026-11-27&list=cooled");
    }

    #[test]
    fn unknown_names_and_values_are_ignored() {
        let state = BoardState::parse("?page=2&window=9&view=globe&region=&unanswered=yes");
        assert_eq!(state, BoardState::default());
    }
}
