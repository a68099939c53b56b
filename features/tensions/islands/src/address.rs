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
}

impl Default for BoardState {
    fn default() -> Self {
        Self { day: None, region: None, theme: None, window: WINDOWS[0], view: BoardView::Matrix, unanswered: false }
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
                _ => {}
            }
        }
        state
    }

    /// Returns the query, without what is usual.
    pub fn query(&self) -> String {
        let mut query = form_urlencoded::Serializer::new(String::new());
        for (name, value) in [("day", &self.day), ("region", &self.region), ("theme", &self.theme)] {
            if let Some(value) = value {
                query.append_pair(name, value);
            }
        }
        if self.window != WINDOWS[0] {
            query.append_pair("window", &self.window.to_string());
        }
        if self.view == BoardView::Map {
            query.append_pair("view", "map");
        }
        if self.unanswered {
            query.append_pair("unanswered", "1");
        }
        query.finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_query_comes_back_as_it_was() {
        for query in ["", "day=2026-11-28&region=011&theme=food&window=30&view=map&unanswered=1", "theme=land+%26+water"] {
            assert_eq!(BoardState::parse(query).query(), query);
        }
    }

    #[test]
    fn unknown_names_and_values_are_ignored() {
        let state = BoardState::parse("?page=2&window=9&view=globe&region=&unanswered=yes");
        assert_eq!(state, BoardState::default());
    }
}
