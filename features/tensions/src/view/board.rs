//! Data of the heat board: series of heat by place and theme.

use super::HeatedTension;
use crate::{heat::DayHeat, taxonomy::Taxonomy, tension::iso_day};
use feature::region::{NOWHERE, Regions};
use std::{
    collections::{BTreeMap, BTreeSet},
    ops::RangeInclusive,
};
use tensions_islands::{HeatBoard, HeatSeries, Place, Theme, percent};

/// Returns the board of some tensions over the days of their history. The heat of a place is that of its hottest tension.
pub fn heat_board(tensions: &[&HeatedTension], days: RangeInclusive<i64>, least_change: u8, zoom: Vec<String>) -> HeatBoard {
    let (regions, taxonomy) = (Regions::shared(), Taxonomy::shared());
    let days: Vec<i64> = days.collect();
    let mut cells: BTreeMap<(&str, Option<&str>), Vec<&HeatedTension>> = BTreeMap::new();
    let (mut rows, mut countries) = (BTreeSet::new(), BTreeSet::new());
    for one in tensions.iter().copied() {
        let tension = &one.summary.tension;
        let (code, theme) = (tension.region.code.as_str(), tension.theme.as_str());
        let row = regions.row(code);
        rows.insert(row);
        let mut places = BTreeSet::from([row]);
        if regions.is_country(code) {
            countries.insert(code);
            places.insert(code);
        }
        for place in places {
            cells.entry((place, None)).or_default().push(one);
            cells.entry((place, Some(theme))).or_default().push(one);
        }
    }
    let series = cells.into_iter().map(|((place, theme), tensions)| {
        let hot = tensions.iter().filter(|one| one.has_heat());
        let hottest = |day: usize| {
            let heats = tensions.iter().filter_map(|one| one.history.get(day).copied());
            let dated = heats.clone().map(|heat| heat.dated).fold(0.0, f64::max);
            let hottest = heats.max_by(|one, other| one.value.total_cmp(&other.value)).unwrap_or_default();
            DayHeat { dated, ..hottest }
        };
        let hottest: Vec<DayHeat> = (0..days.len()).map(hottest).collect();
        let heat: Vec<u8> = hottest.iter().map(|day| percent(day.value)).collect();
        let dated_heat: Vec<u8> = hottest.iter().map(|day| percent(day.dated)).collect();
        HeatSeries {
            place: place.to_owned(),
            theme: theme.map(str::to_owned),
            tensions: number(hot.clone().count()),
            unanswered: number(hot.filter(|one| one.summary.responses == 0).count()),
            origins: hottest.iter().map(|day| u8::try_from(day.origins).unwrap_or(u8::MAX)).collect(),
            dated_heat: if dated_heat == heat { vec![] } else { dated_heat },
            heat,
        }
    });
    let place = |code: &str, parent: Option<&str>| Place {
        code: code.to_owned(),
        label: regions.label(code).to_owned(),
        parent: parent.map(str::to_owned),
    };
    let series: Vec<HeatSeries> = series.collect();
    // By name; what names no country comes last.
    let mut rows: Vec<Place> = rows.into_iter().map(|code| place(code, None)).collect();
    rows.sort_by(|one, other| (one.code == NOWHERE, &one.label).cmp(&(other.code == NOWHERE, &other.label)));
    let theme = |theme: &crate::taxonomy::Theme| Theme { code: theme.code.clone(), label: theme.label.clone() };
    HeatBoard {
        days: days.iter().map(|day| iso_day(*day)).collect(),
        themes: taxonomy.themes.iter().map(theme).collect(),
        regions: rows,
        countries: countries.into_iter().map(|code| place(code, Some(regions.row(code)))).collect(),
        series,
        least_change,
        zoom,
    }
}

fn number(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}
