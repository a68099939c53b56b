//! View of all tensions for the pages: heat now and before, filters, the board and the finding sentence. Pure but for `load`.

mod board;

use crate::{
    heat::DayHeat,
    settings::TensionSettings,
    store::{TensionStore, TensionSummary},
    tension::{EvidenceDay, TensionState, day_number},
};
use domain::{Scope, Timestamp};
use engine::StoreResult;
use feature::region::Regions;
use std::{
    cmp::Ordering,
    collections::{BTreeSet, HashMap, HashSet},
};
use tensions_islands::{BoardState, HeatBoard, direction, percent};

/// Direction of the heat of a tension.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Trend {
    Rising,
    Steady,
    Falling,
}

impl Trend {
    pub const fn arrow(self) -> &'static str {
        match self {
            Self::Rising => "▲",
            Self::Steady => "",
            Self::Falling => "▼",
        }
    }

    pub const fn word(self) -> &'static str {
        match self {
            Self::Rising => "rising",
            Self::Steady => "steady",
            Self::Falling => "falling",
        }
    }

    /// Returns the direction of the heat of dated evidence over the last `window` days of a history, as the board shows it. It is steady
    /// where the change is below `least` hundredths, and where the window starts before the history.
    pub fn over(history: &[DayHeat], window: u16, least: u8) -> Self {
        let before = history.len().checked_sub(usize::from(window) + 1).and_then(|day| history.get(day));
        let Some((now, before)) = history.last().zip(before) else { return Self::Steady };
        match direction(i16::from(percent(now.dated)) - i16::from(percent(before.dated)), least) {
            Ordering::Greater => Self::Rising,
            Ordering::Equal => Self::Steady,
            Ordering::Less => Self::Falling,
        }
    }
}

/// A tension with its heat.
#[derive(Debug, Clone, PartialEq)]
pub struct HeatedTension {
    pub summary: TensionSummary,
    /// Independent origins that it counts, by their numbers in the overview.
    pub origins: Vec<u32>,
    /// Heat of the last days over the evidence that the reader sees, the oldest first, up to today.
    pub history: Vec<DayHeat>,
    /// Day of the latest dated evidence; of undated evidence where none has a date.
    pub latest: EvidenceDay,
}

impl HeatedTension {
    pub fn is_active(&self) -> bool {
        self.summary.tension.state == TensionState::Active
    }

    /// Returns the heat of today.
    pub fn heat(&self) -> f64 {
        self.history.last().map_or(0.0, |day| day.value)
    }

    /// Returns whether it has heat that is printed.
    pub fn has_heat(&self) -> bool {
        percent(self.heat()) > 0
    }

    /// Returns the direction of its heat.
    pub fn trend(&self, window: u16, least: u8) -> Trend {
        Trend::over(&self.history, window, least)
    }
}

/// List of tensions.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum TensionList {
    /// Active ones with heat.
    #[default]
    Hot,
    /// Active ones whose heat has gone.
    Cooled,
    Dismissed,
}

impl TensionList {
    pub const ALL: [Self; 3] = [Self::Hot, Self::Cooled, Self::Dismissed];

    /// The value of `list` in the address; empty for the usual one.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Hot => "",
            Self::Cooled => "cooled",
            Self::Dismissed => "dismissed",
        }
    }

    pub fn parse(text: &str) -> Self {
        Self::ALL.into_iter().find(|list| list.as_str() == text).unwrap_or_default()
    }

    pub const fn label(self) -> &'static str {
        match self {
            Self::Hot => "Hot",
            Self::Cooled => "Cooled",
            Self::Dismissed => "Dismissed",
        }
    }

    fn contains(self, one: &HeatedTension) -> bool {
        let has_heat = one.has_heat();
        match self {
            Self::Hot => one.is_active() && has_heat,
            Self::Cooled => one.is_active() && !has_heat,
            Self::Dismissed => !one.is_active(),
        }
    }
}

/// All tensions that a reader sees, the hottest first.
#[derive(Debug, Clone, PartialEq)]
pub struct HeatOverview {
    pub tensions: Vec<HeatedTension>,
    pub today: i64,
    /// Days of history before today.
    pub days: i64,
    /// Change in hundredths from which heat rises or falls.
    pub least_change: u8,
}

/// Returns the number of an origin; a new one for an origin that has none.
fn origin_number(numbers: &mut HashMap<String, u32>, origin: String) -> u32 {
    let next = u32::try_from(numbers.len()).unwrap_or(u32::MAX);
    *numbers.entry(origin).or_insert(next)
}

/// Numbers of the finding sentence.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct HeatFigures {
    pub tensions: usize,
    /// Those of the sample among them.
    pub sample: usize,
    pub rising: usize,
    pub unanswered: usize,
    pub origins: usize,
}

impl HeatOverview {
    /// Loads the tensions of a scope with their history of `days` before today.
    pub async fn load(
        store: &TensionStore,
        settings: &TensionSettings,
        scope: &Scope,
        days: i64,
        now: Timestamp,
    ) -> StoreResult<Self> {
        let (today, rule) = (day_number(now), settings.heat_rule());
        let summaries = store.tensions(scope, settings.event_limits(now)).await?;
        let mut evidence = match summaries.is_empty() {
            true => HashMap::new(),
            false => store.recent_evidence(scope, rule.first_counted_day(today - days)).await?,
        };
        let (counted, mut numbers) = (rule.first_counted_day(today)..=today, HashMap::new());
        let heated = |summary: TensionSummary| {
            let id = summary.tension.id;
            let evidence = evidence.remove(&id).unwrap_or_default();
            // The latest may be older than what counts.
            let is_undated = summary.is_undated;
            let latest = evidence.iter().filter(|one| one.is_undated == is_undated).map(|one| one.day).max();
            let latest = EvidenceDay { day: latest.unwrap_or(summary.tension.last_day), is_undated };
            let history = rule.heat_of_days(today - days..=today, &evidence);
            let origins = evidence.into_iter().filter(|one| counted.contains(&one.day)).map(|one| one.origin);
            let origins: BTreeSet<u32> = origins.map(|origin| origin_number(&mut numbers, origin)).collect();
            HeatedTension { summary, origins: origins.into_iter().collect(), history, latest }
        };
        let mut tensions: Vec<HeatedTension> = summaries.into_iter().map(heated).collect();
        // Equal ones stay in the order of the store.
        tensions.sort_by(|one, other| other.heat().total_cmp(&one.heat()));
        Ok(Self { tensions, today, days, least_change: percent(settings.trend) })
    }

    /// Returns the tensions of a list that a state of the board selects.
    pub fn select<'a>(&'a self, list: TensionList, state: &'a BoardState) -> impl Iterator<Item = &'a HeatedTension> {
        let regions = Regions::shared();
        self.tensions.iter().filter(move |one| {
            let tension = &one.summary.tension;
            list.contains(one)
                && (!state.unanswered || one.summary.responses == 0)
                && state.theme.as_ref().is_none_or(|theme| *theme == tension.theme)
                && state.region.as_ref().is_none_or(|area| regions.is_within(&tension.region.code, area))
        })
    }

    /// Returns a page of the tensions that a list and a state select, and the number of all.
    pub fn page(&self, list: TensionList, state: &BoardState, page: u64, per_page: usize) -> (Vec<HeatedTension>, usize) {
        let selected: Vec<&HeatedTension> = self.select(list, state).collect();
        let skipped = usize::try_from(page.saturating_sub(1)).unwrap_or(usize::MAX).saturating_mul(per_page);
        let total = selected.len();
        (selected.into_iter().skip(skipped).take(per_page).cloned().collect(), total)
    }

    /// Returns the figures of the hot tensions that a state selects.
    pub fn figures(&self, state: &BoardState) -> HeatFigures {
        let (mut origins, mut figures) = (HashSet::<u32>::new(), HeatFigures::default());
        for one in self.select(TensionList::Hot, state) {
            figures.tensions += 1;
            figures.sample += usize::from(one.summary.is_sample);
            figures.rising += usize::from(one.trend(state.window, self.least_change) == Trend::Rising);
            figures.unanswered += usize::from(one.summary.responses == 0);
            origins.extend(&one.origins);
        }
        figures.origins = origins.len();
        figures
    }

    /// Returns the data of matrix, map and slider: the tensions with heat on a day of the history.
    pub fn board(&self, state: &BoardState) -> HeatBoard {
        // Region and theme are chosen on the board, which shows them beside the others.
        let is_shown = |one: &&HeatedTension| {
            one.is_active()
                && (!state.unanswered || one.summary.responses == 0)
                && one.history.iter().any(|day| percent(day.value) > 0)
        };
        let tensions: Vec<&HeatedTension> = self.tensions.iter().filter(is_shown).collect();
        let zoom = state.region.as_deref().map(|code| Regions::shared().countries_of_row(code)).unwrap_or_default();
        board::heat_board(&tensions, self.today - self.days..=self.today, self.least_change, zoom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tension::{Severity, Tension, TensionId, TensionOrigin};
    use domain::CollectionId;
    use feature::region::Region;
    use testkit::id;

    const TODAY: i64 = 20_000;

    fn heated(region: &str, theme: &str, heat: f64, before: f64, responses: u64) -> HeatedTension {
        let tension = Tension {
            id: TensionId(id()),
            collection: CollectionId(id()),
            origin: TensionOrigin::Extraction,
            theme: theme.into(),
            kind: "strike".into(),
            title: "Strike".into(),
            statement: "Dockers walked out.".into(),
            region: Region { code: region.into() },
            severity: Severity::Serious,
            confidence: 0.5,
            state: TensionState::Active,
            first_day: TODAY - 9,
            last_day: TODAY,
            cause_heat: heat,
            response_scouted_at: None,
            created_at: Timestamp::from_micros(0),
        };
        let day = |value: f64| DayHeat { value, dated: value, origins: usize::from(value > 0.0) };
        let mut history = vec![day(0.0); 31];
        (history[30 - 7], history[30]) = (day(before), day(heat));
        HeatedTension {
            summary: TensionSummary { tension, responses, is_sample: false, is_undated: false },
            // One for each theme.
            origins: vec![u32::from(theme == "food")],
            history,
            latest: EvidenceDay::dated(TODAY),
        }
    }

    fn overview() -> HeatOverview {
        let tensions = vec![
            heated("466", "food", 0.71, 0.5, 1),
            heated("562", "food", 0.31, 0.3, 0),
            heated("642", "work", 0.2, 0.4, 0),
            heated("000", "work", 0.001, 0.4, 0),
            heated("250", "work", 0.001, 0.0, 0),
        ];
        HeatOverview { tensions, today: TODAY, days: 30, least_change: 5 }
    }

    #[test]
    fn figures_count_hot_tensions_of_the_chosen_region() {
        let overview = overview();
        let all = overview.figures(&BoardState::default());
        assert_eq!(all, HeatFigures { tensions: 3, sample: 0, rising: 1, unanswered: 2, origins: 2 });
        let africa = BoardState { region: Some("002".into()), ..BoardState::default() };
        assert_eq!(overview.figures(&africa).tensions, 2);
        assert_eq!(overview.select(TensionList::Cooled, &BoardState::default()).count(), 2);
    }

    #[test]
    fn the_board_has_the_hottest_tension_of_each_place() {
        let board = overview().board(&BoardState::default());
        let rows: Vec<&str> = board.regions.iter().map(|place| place.label.as_str()).collect();
        assert_eq!(rows, ["Eastern Europe", "Western Africa", "No country named"], "without what was never hot");
        assert_eq!((board.countries.len(), board.least_change, board.zoom.len()), (3, 5, 0));
        assert_eq!((board.days.len(), board.themes.len()), (31, 10), "a window of 30 days has a start");
        let cell = board.series.iter().find(|one| one.place == "011" && one.theme.as_deref() == Some("food")).unwrap();
        assert_eq!((cell.tensions, cell.unanswered, cell.origins[30]), (2, 1, 1));
        assert_eq!((cell.heat[23], cell.heat[30]), (50, 71));
        let cooled = board.series.iter().find(|one| one.place == "000" && one.theme.is_none()).unwrap();
        assert_eq!((cooled.tensions, cooled.heat[23], cooled.heat[30]), (0, 40, 0));
        let africa = BoardState { region: Some("466".into()), ..BoardState::default() };
        assert!(overview().board(&africa).zoom.contains(&"288".to_owned()), "Ghana, without heat, is in the picture");
    }

    #[test]
    fn a_trend_needs_a_change_that_counts_and_a_start() {
        let one = heated("466", "food", 0.71, 0.5, 0);
        assert_eq!((one.trend(7, 5), one.trend(7, 50)), (Trend::Rising, Trend::Steady));
        assert_eq!((one.trend(30, 5), one.trend(31, 5)), (Trend::Rising, Trend::Steady));
    }

    #[test]
    fn evidence_without_a_date_makes_nothing_rise() {
        let mut one = heated("466", "food", 0.71, 0.5, 0);
        one.history[30].dated = 0.5;
        assert_eq!((one.trend(7, 5), one.has_heat()), (Trend::Steady, true));
        let board = HeatOverview { tensions: vec![one], ..overview() }.board(&BoardState::default());
        let cell = board.series.iter().find(|one| one.place == "011" && one.theme.is_none()).unwrap();
        assert_eq!((cell.heat[23], cell.heat[30]), (50, 71));
        assert_eq!((cell.dated_heat[23], cell.dated_heat[30]), (50, 50));
        assert!(overview().board(&BoardState::default()).series[0].dated_heat.is_empty(), "where all is dated, it is left out");
    }
}
