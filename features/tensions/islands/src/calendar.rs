//! The calendar heat map of one tension: a column per week, a row per weekday; on a phone, months as text.

use crate::{
    browser,
    reading::{hundredths, step},
};
use chrono::{Datelike, Days, NaiveDate, Weekday};
use leptos::{
    ev::{KeyboardEvent, MouseEvent},
    prelude::*,
    web_sys::Element,
};
use serde::{Deserialize, Serialize};

/// Days of the calendar: 53 weeks.
pub const CALENDAR_DAYS: u16 = 53 * 7;
const WEEKDAYS: [Weekday; 7] =
    [Weekday::Mon, Weekday::Tue, Weekday::Wed, Weekday::Thu, Weekday::Fri, Weekday::Sat, Weekday::Sun];

/// Heat of consecutive days, in percent.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Calendar {
    #[serde(rename = "f")]
    first: NaiveDate,
    #[serde(rename = "h")]
    heat: Vec<u8>,
}

impl Calendar {
    /// Returns the calendar of days from an ISO date on; none for another text, and without a day.
    pub fn new(first: &str, heat: Vec<u8>) -> Option<Self> {
        let first = first.parse().ok().filter(|_| !heat.is_empty())?;
        Some(Self { first, heat })
    }

    fn date(&self, day: usize) -> Option<NaiveDate> {
        self.first.checked_add_days(Days::new(u64::try_from(day).ok()?))
    }

    /// Weekdays of the first week before the first day.
    fn offset(&self) -> usize {
        WEEKDAYS.iter().position(|weekday| *weekday == self.first.weekday()).unwrap_or(0)
    }

    fn weeks(&self) -> usize {
        (self.offset() + self.heat.len()).div_ceil(7)
    }

    /// Returns the day of a cell, if the calendar has it.
    fn day_at(&self, week: usize, weekday: usize) -> Option<usize> {
        (week * 7 + weekday).checked_sub(self.offset()).filter(|day| *day < self.heat.len())
    }

    /// Months in order, each with its days.
    fn months(&self) -> Vec<(NaiveDate, Vec<usize>)> {
        let mut months: Vec<(NaiveDate, Vec<usize>)> = vec![];
        for day in 0..self.heat.len() {
            let Some(date) = self.date(day) else { continue };
            match months.last_mut() {
                Some((month, days)) if (month.year(), month.month()) == (date.year(), date.month()) => days.push(day),
                _ => months.push((date, vec![day])),
            }
        }
        months
    }

    /// Returns the day that a key leads to, if any.
    fn neighbour(&self, day: usize, key: &str) -> Option<usize> {
        let to = match key {
            "ArrowLeft" => day.checked_sub(7)?,
            "ArrowRight" => day + 7,
            "ArrowUp" => day.checked_sub(1)?,
            "ArrowDown" => day + 1,
            "Home" => 0,
            "End" => self.last(),
            _ => return None,
        };
        Some(to).filter(|day| *day <= self.last())
    }

    fn last(&self) -> usize {
        self.heat.len().saturating_sub(1)
    }

    /// Returns a day and its heat in words, as in "28 Nov 2026: .71".
    fn sentence(&self, day: usize) -> String {
        let date = self.date(day).map(|date| date.format("%-d %b %Y").to_string()).unwrap_or_default();
        format!("{date}: {}", hundredths(self.heat.get(day).copied().unwrap_or_default()))
    }
}

/// Calendar heat map; in the browser, keys and the pointer choose a day.
#[island]
pub fn CalendarPicture(calendar: Calendar) -> impl IntoView {
    calendar_picture(calendar)
}

fn calendar_picture(calendar: Calendar) -> AnyView {
    let day = RwSignal::new(calendar.last());
    // What the pointer passes over is too much to read out.
    let is_pointed = RwSignal::new(false);
    let liveness = move || if is_pointed.get() { "off" } else { "polite" };
    let tab_stop = RwSignal::new(calendar.last());
    let is_alive = RwSignal::new(false);
    Effect::new(move || {
        is_alive.set(true);
        let start = tab_stop.get_untracked();
        browser::move_tab_stop(&cell_id(start), &cell_id(start));
    });
    let months = month_headers(&calendar);
    let texts = month_texts(&calendar);
    let rows = (0..7).map(|weekday| row(&calendar, weekday)).collect_view();
    let calendar = StoredValue::new(calendar);
    let move_by_key = move |event: KeyboardEvent| {
        let from = tab_stop.get_untracked();
        let Some(to) = calendar.with_value(|calendar| calendar.neighbour(from, &event.key())) else { return };
        event.prevent_default();
        browser::move_tab_stop(&cell_id(from), &cell_id(to));
        if browser::focus(&cell_id(to)) {
            tab_stop.set(to);
            is_pointed.set(false);
            day.set(to);
        }
    };
    let point = move |event: MouseEvent| {
        let id = event_target::<Element>(&event).id();
        if let Some(pointed) = id.strip_prefix(CELL).and_then(|day| day.parse().ok()) {
            is_pointed.set(true);
            day.set(pointed);
        }
    };
    view! {
        <div class="calendar">
            <table
                class="calendar-table"
                role=move || is_alive.get().then_some("grid")
                on:keydown=move_by_key
                on:mouseover=point
            >
                <caption>"Heat per day"</caption>
                <thead>
                    <tr>
                        <th scope="col"><span class="hidden">"Weekday"</span></th>
                        {months}
                    </tr>
                </thead>
                <tbody>{rows}</tbody>
            </table>
            <ul class="calendar-months">{texts}</ul>
            <p class="muted" role="status" aria-live=liveness>{move || calendar.with_value(|calendar| calendar.sentence(day.get()))}</p>
        </div>
    }
    .into_any()
}

/// Start of the ids of cells.
const CELL: &str = "calendar-";

fn cell_id(day: usize) -> String {
    format!("{CELL}{day}")
}

/// A header over the weeks that begin in each month; without a name over a single week, which is too narrow for it.
fn month_headers(calendar: &Calendar) -> AnyView {
    let mut spans: Vec<(NaiveDate, usize)> = vec![];
    for week in 0..calendar.weeks() {
        let Some(date) = (0..7).find_map(|weekday| calendar.day_at(week, weekday)).and_then(|day| calendar.date(day)) else {
            continue;
        };
        match spans.last_mut() {
            Some((month, span)) if month.month() == date.month() => *span += 1,
            _ => spans.push((date, 1)),
        }
    }
    let headers = spans.into_iter().map(|(month, span)| {
        let name = month.format("%b").to_string();
        let is_narrow = span < 2;
        view! { <th scope="col" colspan=span.to_string()><span class:hidden=is_narrow>{name}</span></th> }
    });
    headers.collect_view().into_any()
}

/// Cells of a weekday. The style sheet shows their colour only; the number is for screen readers.
fn row(calendar: &Calendar, weekday: usize) -> AnyView {
    let cells = (0..calendar.weeks()).map(|week| {
        let Some(day) = calendar.day_at(week, weekday) else { return view! { <td></td> }.into_any() };
        let heat = calendar.heat.get(day).copied().unwrap_or_default();
        let class = if heat == 0 { "heat-none".to_owned() } else { format!("heat heat-{}", step(heat)) };
        view! { <td id=cell_id(day) class=class>{hundredths(heat)}</td> }.into_any()
    });
    let cells = cells.collect_view();
    let name = WEEKDAYS.get(weekday).map(ToString::to_string).unwrap_or_default();
    view! {
        <tr>
            <th scope="row">{name}</th>
            {cells}
        </tr>
    }
    .into_any()
}

/// Months as text, the latest first, each with its highest heat.
fn month_texts(calendar: &Calendar) -> AnyView {
    let months = calendar.months().into_iter().rev().map(|(month, days)| {
        let highest = days.into_iter().filter_map(|day| calendar.heat.get(day)).max().copied().unwrap_or_default();
        view! { <li>{format!("{}: up to {}", month.format("%b %Y"), hundredths(highest))}</li> }
    });
    months.collect_view().into_any()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A Thursday, and the six days after.
    fn week() -> Calendar {
        Calendar::new("2026-11-26", vec![50, 0, 0, 0, 0, 0, 71]).unwrap()
    }

    #[test]
    fn each_day_is_in_the_column_of_its_week() {
        let calendar = week();
        assert_eq!((calendar.heat.len(), calendar.weeks(), calendar.offset()), (7, 2, 3));
        assert_eq!((calendar.day_at(0, 2), calendar.day_at(0, 3), calendar.day_at(1, 2)), (None, Some(0), Some(6)));
        assert_eq!((calendar.sentence(6), calendar.sentence(1)), ("2 Dec 2026: .71".to_owned(), "27 Nov 2026: .00".to_owned()));
        let months: Vec<usize> = calendar.months().into_iter().map(|(_, days)| days.len()).collect();
        assert_eq!(months, [5, 2]);
    }

    #[test]
    fn a_calendar_needs_a_date_and_a_day() {
        assert_eq!((Calendar::new("soon", vec![9]), Calendar::new("2026-11-26", vec![])), (None, None));
    }

    #[test]
    fn arrow_keys_move_by_weeks_and_days_and_stop_at_the_ends() {
        let calendar = Calendar::new("2026-11-01", vec![9; 28]).unwrap();
        assert_eq!(
            ["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown"].map(|key| calendar.neighbour(8, key)),
            [1, 15, 7, 9].map(Some)
        );
        assert_eq!((calendar.neighbour(3, "ArrowLeft"), calendar.neighbour(27, "ArrowDown")), (None, None));
        assert_eq!((calendar.neighbour(8, "End"), calendar.neighbour(8, "a")), (Some(27), None));
    }

    #[cfg(feature = "ssr")]
    #[test]
    fn the_server_renders_a_table_of_days_and_the_months_as_text() {
        let html = Owner::new().with(|| calendar_picture(week()).to_html());
        assert!(html.contains("scope=\"row\"") && html.contains("id=\"calendar-6\"") && html.contains("heat heat-7"), "{html}");
        assert!(html.contains("Dec 2026: up to .71") && html.contains("2 Dec 2026: .71"), "{html}");
        assert!(!html.contains(" style=") && !html.contains("tabindex"), "{html}");
    }
}
