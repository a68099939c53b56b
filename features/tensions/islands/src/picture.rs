//! The heat board: slider, matrix, the countries of the chosen region, and the map.

use crate::{
    address::{BoardState, BoardView},
    board::{HeatBoard, HeatSeries},
    browser,
    map::map_section,
    matrix::{countries, matrix},
    reading::{Reading, day_in_words, figure},
    slider::slider,
};
use leptos::prelude::*;

/// Matrix, map and time slider of the tensions page. Links carry the state; the slider changes it without loading the page.
#[island]
pub fn HeatBoardPicture(board: HeatBoard, state: BoardState) -> impl IntoView {
    board_picture(board, state)
}

fn board_picture(board: HeatBoard, state: BoardState) -> AnyView {
    if board.regions.is_empty() {
        return view! { <p class="muted">"No tension has a region yet."</p> }.into_any();
    }
    let signals = BoardSignals::new(board, state);
    let is_playing = RwSignal::new(false);
    // A day a blink is too much to read out.
    let liveness = move || if is_playing.get() { "off" } else { "polite" };
    view! {
        <section class="heat-board" aria-label="Heat of the tensions">
            {slider(signals, is_playing)}
            <p class="heat-selection" role="status" aria-live=liveness>{move || selection(signals)}</p>
            {matrix(signals)}
            {countries(signals)}
            {map_section(signals)}
        </section>
    }
    .into_any()
}

/// Data and state that the parts of the board share.
#[derive(Clone, Copy)]
pub struct BoardSignals {
    pub board: StoredValue<HeatBoard>,
    pub state: RwSignal<BoardState>,
    /// Position of the shown day.
    pub day: Memo<usize>,
    /// Whether the browser has taken over: keys work, so that the tab key stops once.
    pub is_alive: RwSignal<bool>,
}

impl BoardSignals {
    fn new(board: HeatBoard, state: BoardState) -> Self {
        let (board, state) = (StoredValue::new(board), RwSignal::new(state));
        let day = Memo::new(move |_| state.with(|state| board.with_value(|board| board.position(state.day.as_deref()))));
        let is_alive = RwSignal::new(false);
        Effect::new(move || is_alive.set(true));
        Self { board, state, day, is_alive }
    }

    /// Days of the trend.
    pub fn window(self) -> u16 {
        self.state.with_untracked(|state| state.window)
    }

    /// Returns the code of the chosen theme.
    pub fn theme(self) -> Option<String> {
        self.state.with_untracked(|state| state.theme.clone())
    }

    /// Returns the series of a place and theme.
    pub fn series(self, place: &str, theme: Option<&str>) -> Option<HeatSeries> {
        self.board.with_value(|board| board.series_of(place, theme).cloned())
    }

    /// Heat of a series on the shown day.
    pub fn reading(self, series: &HeatSeries) -> Memo<Option<Reading>> {
        let series = series.clone();
        Memo::new(move |_| self.read(&series))
    }

    fn read(self, series: &HeatSeries) -> Option<Reading> {
        let least = self.board.with_value(|board| board.least_change);
        Reading::new(series, self.day.get(), self.window(), least)
    }

    /// Whether the latest day is shown: tensions are counted for no other.
    pub fn is_latest(self) -> bool {
        let day = self.day.get();
        self.board.with_value(|board| board.latest() == day)
    }

    /// Returns the address of a place and theme on the shown day.
    pub fn href(self, region: Option<&str>, theme: Option<&str>) -> String {
        let (region, theme) = (region.map(str::to_owned), theme.map(str::to_owned));
        address(&BoardState { region, theme, ..self.state.get() })
    }

    /// Returns the address of the list of the tensions of a place and theme with heat, or of those that nothing answers alone.
    pub fn href_of_list(self, region: &str, theme: Option<&str>, is_unanswered: bool) -> String {
        let (region, theme) = (Some(region.to_owned()), theme.map(str::to_owned));
        let state = self.state.get();
        let unanswered = is_unanswered || state.unanswered;
        format!("{}#all", address(&BoardState { region, theme, unanswered, list: None, ..state }))
    }

    /// Returns the address of another day, if there is one.
    pub fn href_of_day(self, day: Option<usize>) -> Option<String> {
        Some(address(&BoardState { day: self.day_code(day?), ..self.state.get() }))
    }

    /// Shows another day, also in the address.
    pub fn show_day(self, day: usize) {
        let day = self.day_code(day);
        self.state.update(|state| state.day = day);
        self.keep_address();
    }

    /// Opens or folds the map, also in the address.
    pub fn show_view(self, view: BoardView) {
        self.state.update(|state| state.view = view);
        self.keep_address();
    }

    fn keep_address(self) {
        self.state.with_untracked(browser::replace_state);
    }

    /// Returns the date at a position; none for the latest, which stays so tomorrow.
    fn day_code(self, day: usize) -> Option<String> {
        self.board.with_value(|board| board.days.get(day).filter(|_| day + 1 < board.days.len()).cloned())
    }

    /// Returns the shown day in words.
    pub fn day_words(self) -> String {
        let day = self.day.get();
        self.board.with_value(|board| board.days.get(day).map(|day| day_in_words(day)).unwrap_or_default())
    }
}

fn address(state: &BoardState) -> String {
    format!("?{}", state.query())
}

/// Sentence on the chosen place and theme on the shown day.
fn selection(signals: BoardSignals) -> String {
    let BoardState { region, theme, window, .. } = signals.state.get();
    let is_latest = signals.is_latest();
    let day = signals.day_words();
    let Some(region) = region else { return format!("Heat on {day}. Choose a cell to see its tensions.") };
    let (place, label) = signals.board.with_value(|board| {
        let place = board.place(&region).map_or_else(|| region.clone(), |place| place.label.clone());
        let label = theme.as_deref().and_then(|code| board.themes.iter().find(|theme| theme.code == code));
        (place, label.map(|theme| format!(", {}", theme.label)).unwrap_or_default())
    });
    let found = signals.series(&region, theme.as_deref());
    let Some((series, reading)) = found.and_then(|series| signals.read(&series).map(|reading| (series, reading))) else {
        return format!("{place}{label}: no tension on {day}.");
    };
    let (heat, trend, origins) = (figure(Some(reading)), reading.trend(window), count(u32::from(reading.origins), "origin"));
    let hottest = format!("{place}{label}: {heat} on {day}, {trend}. The hottest tension has {origins}.");
    match is_latest {
        true => format!("{hottest} {}, {} unanswered.", count(series.tensions, "tension"), series.unanswered),
        false => hottest,
    }
}

fn count(number: u32, noun: &str) -> String {
    let plural = if number == 1 { "" } else { "s" };
    format!("{number} {noun}{plural}")
}

#[cfg(all(test, feature = "ssr"))]
mod tests {
    use super::*;
    use crate::board::tests::board;

    fn render(board: HeatBoard, query: &str) -> String {
        let html = Owner::new().with(|| board_picture(board, BoardState::parse(query)).to_html());
        // Markers of the pieces that change.
        html.replace("<!>", "")
    }

    #[test]
    fn the_server_renders_a_table_with_links_that_carry_the_state() {
        let html = render(board(), "window=30");
        assert!(html.contains("<caption") && html.contains("scope=\"row\"") && html.contains("scope=\"col\""), "{html}");
        assert!(html.contains("href=\"?region=011&amp;theme=food&amp;window=30\""), "{html}");
        assert!(html.contains("by region and theme on 28 Nov 2026"), "{html}");
        assert!(html.contains(">.71") && html.contains(", no trend over 30 days known") && !html.contains("▲"), "{html}");
        assert!(html.contains("heat-7") && html.contains("heat heat-4 heat-few"), "{html}");
        assert!(!html.contains(" style=") && !html.contains("tabindex"), "{html}");
    }

    #[test]
    fn a_day_of_the_address_is_shown_and_its_neighbours_are_links() {
        let html = render(board(), "day=2026-11-27&region=011&theme=food");
        assert!(
            html.contains(
                "Western Africa, Food: .60 on 27 Nov 2026, no trend over 7 days known. The hottest tension has 5 origins."
            ),
            "{html}"
        );
        let latest = render(board(), "region=011&theme=food&list=cooled");
        assert!(latest.contains("has 5 origins. 3 tensions, 1 unanswered.") && latest.contains("list=cooled"), "{latest}");
        assert!(html.contains("href=\"?day=2026-11-26&amp;region=011&amp;theme=food\""), "{html}");
        assert!(html.contains("aria-current=\"true\"") && html.contains("aria-valuetext=\"27 Nov 2026\""), "{html}");
    }

    #[test]
    fn a_chosen_country_lists_the_countries_of_its_region() {
        let html = render(board(), "region=466");
        assert!(
            html.contains("Countries of Western Africa") && html.contains(">Mali</a>") && !html.contains("Lebanon"),
            "{html}"
        );
        for list in ["?region=466#all", "?region=466&amp;unanswered=1#all"] {
            assert!(html.contains(&format!("href=\"{list}\"")), "a count leads to its tensions: {html}");
        }
    }

    #[test]
    fn a_board_without_regions_says_so() {
        let empty = HeatBoard {
            days: vec![],
            themes: vec![],
            regions: vec![],
            countries: vec![],
            series: vec![],
            least_change: 5,
            zoom: vec![],
        };
        assert!(render(empty, "").contains("No tension has a region yet."));
    }
}
