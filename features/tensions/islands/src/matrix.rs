//! The heat matrix: regions by themes, with keys of a grid; and the table of the countries of a region.

use crate::{
    board::{Area, HeatSeries, Theme},
    browser,
    picture::BoardSignals,
    reading::{Reading, classes, figure, note},
};
use leptos::{ev::KeyboardEvent, prelude::*};

/// Row and column of a cell; column 0 is that of all themes.
type Position = (usize, usize);

/// The matrix of the board.
pub fn matrix(signals: BoardSignals) -> AnyView {
    let (regions, themes) = signals.board.with_value(|board| (board.regions.clone(), board.themes.clone()));
    let cells: Vec<Vec<Option<HeatSeries>>> = regions.iter().map(|region| row_of(signals, region, &themes)).collect();
    // Cells with a link.
    let grid: Vec<Vec<bool>> = cells.iter().map(|row| row.iter().map(Option::is_some).collect()).collect();
    let (region, theme) = (signals.state.with_untracked(|state| state.region.clone()), signals.theme());
    let is_chosen = |series: &HeatSeries| Some(&series.place) == region.as_ref() && series.theme == theme;
    let chosen = find_position(&cells, |series| matches!(series, Some(series) if is_chosen(series)));
    // In the column that a phone shows, too.
    let first = chosen.map(|(row, _)| (row, 0)).or_else(|| find_position(&grid, |has_link| *has_link));
    let tab_stop = RwSignal::new(first.unwrap_or_default());
    let headers = themes.iter().map(|theme| view! { <th scope="col">{theme.label.clone()}</th> }).collect_view();
    let rows = regions.into_iter().zip(cells).enumerate().map(|(row, (region, series))| {
        let draw = |(column, series)| cell(signals, (row, column), series, tab_stop, chosen == Some((row, column)));
        let cells = series.into_iter().enumerate().map(draw).collect_view();
        view! {
            <tr>
                <th scope="row">{region.label}</th>
                {cells}
            </tr>
        }
    });
    let rows = rows.collect_view();
    let move_by_key = move |event: KeyboardEvent| {
        let Some(position) = neighbour(&grid, tab_stop.get_untracked(), &event.key()) else { return };
        event.prevent_default();
        if browser::focus(&cell_id(position)) {
            tab_stop.set(position);
        }
    };
    view! {
        <table class="heat-matrix" role=move || signals.is_alive.get().then_some("grid") on:keydown=move_by_key>
            <caption>
                {move || format!(
                    "Heat by region and theme on {}, from .00 to 1.00: how much independent, recent evidence of strain the hottest \
                     tension of a cell has. Hatched: it has fewer than three independent origins.",
                    signals.day_words(),
                )}
            </caption>
            <thead>
                <tr>
                    <th scope="col">"Region"</th>
                    <th scope="col">"All themes"</th>
                    {headers}
                </tr>
            </thead>
            <tbody>{rows}</tbody>
        </table>
    }
    .into_any()
}

fn row_of(signals: BoardSignals, region: &Area, themes: &[Theme]) -> Vec<Option<HeatSeries>> {
    let columns = std::iter::once(None).chain(themes.iter().map(|theme| Some(theme.code.as_str())));
    columns.map(|theme| signals.series(&region.code, theme)).collect()
}

/// Returns the position of the first cell, row by row, that is wanted.
fn find_position<T>(cells: &[Vec<T>], is_wanted: impl Fn(&T) -> bool) -> Option<Position> {
    cells.iter().enumerate().find_map(|(row, cells)| cells.iter().position(&is_wanted).map(|column| (row, column)))
}

/// Returns the position that a key leads to, if any.
fn neighbour(grid: &[Vec<bool>], (row, column): Position, key: &str) -> Option<Position> {
    let last = grid.get(row)?.len().checked_sub(1)?;
    match key {
        "ArrowRight" => find_link(grid, (row, column + 1), (0, 1)),
        "ArrowLeft" => find_link(grid, (row, column.checked_sub(1)?), (0, -1)),
        "ArrowDown" => find_link(grid, (row + 1, column), (1, 0)),
        "ArrowUp" => find_link(grid, (row.checked_sub(1)?, column), (-1, 0)),
        "Home" => find_link(grid, (row, 0), (0, 1)),
        "End" => find_link(grid, (row, last), (0, -1)),
        _ => None,
    }
}

/// Returns the first cell with a link, from a position on in a direction.
fn find_link(grid: &[Vec<bool>], (mut row, mut column): Position, (down, right): (isize, isize)) -> Option<Position> {
    while !*grid.get(row)?.get(column)? {
        (row, column) = (row.checked_add_signed(down)?, column.checked_add_signed(right)?);
    }
    Some((row, column))
}

fn cell_id((row, column): Position) -> String {
    format!("heat-{row}-{column}")
}

fn cell(
    signals: BoardSignals,
    position: Position,
    series: Option<HeatSeries>,
    tab_stop: RwSignal<Position>,
    is_chosen: bool,
) -> AnyView {
    let Some(series) = series else { return view! { <td class="heat-none">"–"</td> }.into_any() };
    let reading = signals.reading(&series);
    let summary = (position.1 == 0).then(|| row_summary(signals, series.place.clone(), reading));
    let (place, theme) = (series.place, series.theme);
    let tab_index = move || signals.is_alive.get().then(|| if tab_stop.get() == position { "0" } else { "-1" });
    view! {
        <td class=move || classes(reading.get())>
            <a
                id=cell_id(position)
                href=move || signals.href(Some(&place), theme.as_deref())
                tabindex=tab_index
                aria-current=is_chosen.then_some("true")
            >
                {heat_text(signals, reading)}
            </a>
            {summary}
        </td>
    }
    .into_any()
}

/// Number, arrow, and the trend in words.
fn heat_text(signals: BoardSignals, reading: Memo<Option<Reading>>) -> AnyView {
    let window = signals.window();
    view! {
        <span>{move || figure(reading.get())}</span>
        <span class="heat-trend" aria-hidden="true">{move || reading.get().map_or("", Reading::arrow)}</span>
        <span class="hidden">{move || note(reading.get(), window)}</span>
    }
    .into_any()
}

/// Bar and hottest theme of a row, which a phone shows in place of the themes.
fn row_summary(signals: BoardSignals, place: String, reading: Memo<Option<Reading>>) -> AnyView {
    let theme = move || {
        let day = signals.day.get();
        signals.board.with_value(|board| board.hottest_theme(&place, day).map(|theme| theme.label.clone()).unwrap_or_default())
    };
    let width = move || reading.get().map_or(0, |reading| reading.heat).to_string();
    view! {
        <svg class="heat-bar" viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true">
            <rect width=width height="8" />
        </svg>
        <span class="heat-hottest">{theme}</span>
    }
    .into_any()
}

/// Table of the countries in the chosen region.
pub fn countries(signals: BoardSignals) -> Option<AnyView> {
    let code = signals.state.with_untracked(|state| state.region.clone())?;
    let region = signals.board.with_value(|board| board.region_of(&code).cloned())?;
    let theme = signals.theme();
    let inside = signals.board.with_value(|board| {
        let is_inside = |country: &&Area| country.parent.as_ref() == Some(&region.code);
        board.countries.iter().filter(is_inside).cloned().collect::<Vec<_>>()
    });
    let rows = inside.into_iter().filter_map(|country| {
        let series = signals.series(&country.code, theme.as_deref())?;
        Some(country_row(signals, country, series))
    });
    let rows = rows.collect::<Vec<_>>();
    (!rows.is_empty()).then(|| {
        view! {
            <table class="heat-countries">
                <caption>"Countries of " {region.label} " on " {move || signals.day_words()}</caption>
                <thead>
                    <tr>
                        <th scope="col">"Country"</th>
                        <th scope="col" class="number">"Heat"</th>
                        <th scope="col" class="number">"Tensions"</th>
                        <th scope="col" class="number">"Unanswered"</th>
                    </tr>
                </thead>
                <tbody>{rows}</tbody>
            </table>
        }
        .into_any()
    })
}

fn country_row(signals: BoardSignals, country: Area, series: HeatSeries) -> AnyView {
    let reading = signals.reading(&series);
    let HeatSeries { theme, tensions, unanswered, .. } = series;
    let is_chosen = signals.state.with_untracked(|state| state.region.as_ref() == Some(&country.code));
    let Area { code, label, .. } = country;
    let (of_heat, theme_of_heat) = (code.clone(), theme.clone());
    let all = count_link(signals, tensions, code.clone(), theme.clone(), false);
    let unanswered = count_link(signals, unanswered, code.clone(), theme.clone(), true);
    view! {
        <tr>
            <th scope="row">
                <a href=move || signals.href(Some(&code), theme.as_deref()) aria-current=is_chosen.then_some("true")>{label}</a>
            </th>
            <td class="number">
                <a class="heat-terms" href=move || signals.href(Some(&of_heat), theme_of_heat.as_deref())>
                    {heat_text(signals, reading)}
                </a>
            </td>
            <td class="number">{all}</td>
            <td class="number">{unanswered}</td>
        </tr>
    }
    .into_any()
}

/// Number of tensions that leads to their list; only the latest day has it.
fn count_link(
    signals: BoardSignals,
    number: u32,
    place: String,
    theme: Option<String>,
    is_unanswered: bool,
) -> impl Fn() -> AnyView + Send + 'static {
    move || match signals.is_latest() {
        true => {
            let href = signals.href_of_list(&place, theme.as_deref(), is_unanswered);
            view! { <a class="heat-terms" href=href>{number}</a> }.into_any()
        }
        false => view! { <span>"–"</span> }.into_any(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two rows; the first has no link in its middle.
    fn grid() -> Vec<Vec<bool>> {
        vec![vec![true, false, true], vec![true, true, true]]
    }

    #[test]
    fn arrow_keys_skip_cells_without_a_link_and_stop_at_the_edges() {
        let grid = grid();
        assert_eq!(neighbour(&grid, (0, 0), "ArrowRight"), Some((0, 2)));
        assert_eq!(neighbour(&grid, (0, 2), "ArrowLeft"), Some((0, 0)));
        assert_eq!(neighbour(&grid, (0, 2), "ArrowDown"), Some((1, 2)));
        assert_eq!(neighbour(&grid, (1, 1), "ArrowUp"), None);
        assert_eq!(neighbour(&grid, (0, 0), "ArrowLeft"), None);
        assert_eq!(neighbour(&grid, (1, 2), "ArrowRight"), None);
    }

    #[test]
    fn the_tab_key_stops_at_the_first_cell_with_a_link() {
        let grid = vec![vec![false, false], vec![false, true]];
        assert_eq!(find_position(&grid, |has_link| *has_link), Some((1, 1)));
    }

    #[test]
    fn home_and_end_lead_to_the_ends_of_a_row_and_other_keys_nowhere() {
        let grid = grid();
        assert_eq!((neighbour(&grid, (1, 1), "Home"), neighbour(&grid, (1, 1), "End")), (Some((1, 0)), Some((1, 2))));
        assert_eq!(neighbour(&grid, (1, 1), "a"), None);
    }
}
