//! View of all tensions for the pages: heat now and before, filters, the board and the finding sentence. Pure but for `load`.

mod board;

pub use board::percent;

use crate::{
    heat::{Heat, OriginEvidence},
    region::Regions,
    settings::TensionSettings,
    snapshots::first_counted_day,
    store::{TensionStore, TensionSummary},
    tension::{TensionId, TensionState, day_number},
};
use domain::{Scope, Timestamp};
use engine::StoreResult;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use tensions_islands::{BoardState, HeatBoard};

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

    /// Returns the direction of a change of heat.
    pub fn from_change(change: f64, least: f64) -> Self {
        match change {
            change if change >= least => Self::Rising,
            change if change <= -least => Self::Falling,
            _ => Self::Steady,
        }
    }
}

/// A tension with its heat.
#[derive(Debug, Clone, PartialEq)]
pub struct HeatedTension {
    pub summary: TensionSummary,
    /// Heat of today, over the evidence that the reader sees.
    pub heat: Heat,
    /// Heat of earlier days by snapshots. Days without heat are left out.
    pub history: BTreeMap<i64, f64>,
    /// Day of the latest evidence.
    pub latest: i64,
}

impl HeatedTension {
    pub fn is_active(&self) -> bool {
        self.summary.tension.state == TensionState::Active
    }

    /// Returns the heat of a day, up to today.
    pub fn heat_on(&self, day: i64, today: i64) -> f64 {
        if day >= today { self.heat.value } else { self.history.get(&day).copied().unwrap_or_default() }
    }

    /// Returns the change of heat over the last days.
    pub fn change(&self, today: i64, window: u16) -> f64 {
        self.heat.value - self.heat_on(today - i64::from(window), today)
    }

    /// Returns the direction of that change.
    pub fn trend(&self, today: i64, window: u16, least: f64) -> Trend {
        Trend::from_change(self.change(today, window), least)
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
        let has_heat = board::percent(one.heat.value) > 0;
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
    /// Visible documents that were searched for strain, and when the last was.
    pub searched: u64,
    pub searched_at: Option<Timestamp>,
}

/// Numbers of the finding sentence.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct HeatFigures {
    pub tensions: usize,
    pub rising: usize,
    pub unanswered: usize,
    pub origins: usize,
}

impl HeatOverview {
    /// Loads the tensions of a scope with `days` of history.
    pub async fn load(
        store: &TensionStore,
        settings: &TensionSettings,
        scope: &Scope,
        days: i64,
        now: Timestamp,
    ) -> StoreResult<Self> {
        let (today, rule) = (day_number(now), settings.heat_rule());
        let summaries = store.tensions(scope).await?;
        let (searched, searched_at) = store.searched(scope).await?;
        let mut evidence: HashMap<TensionId, Vec<OriginEvidence>> = HashMap::new();
        let mut history: HashMap<TensionId, BTreeMap<i64, f64>> = HashMap::new();
        if !summaries.is_empty() {
            for (id, one) in store.recent_evidence(scope, first_counted_day(today, &rule)).await? {
                evidence.entry(id).or_default().push(one);
            }
            for snapshot in store.snapshots(scope, today - days).await? {
                history.entry(snapshot.tension).or_default().insert(snapshot.day, snapshot.heat);
            }
        }
        let heated = |summary: TensionSummary| {
            let id = summary.tension.id;
            let evidence = evidence.remove(&id).unwrap_or_default();
            let latest = evidence.iter().map(|one| one.day).max().unwrap_or(summary.tension.last_day);
            let heat = rule.heat_on(today, &evidence);
            HeatedTension { summary, heat, history: history.remove(&id).unwrap_or_default(), latest }
        };
        let mut tensions: Vec<HeatedTension> = summaries.into_iter().map(heated).collect();
        // Equal ones stay in the order of the store.
        tensions.sort_by(|one, other| other.heat.value.total_cmp(&one.heat.value));
        Ok(Self { tensions, today, searched, searched_at })
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

    /// Returns the figures of the hot tensions that a state selects.
    pub fn figures(&self, state: &BoardState, least_trend: f64) -> HeatFigures {
        let (mut origins, mut figures) = (BTreeSet::new(), HeatFigures::default());
        for one in self.select(TensionList::Hot, state) {
            figures.tensions += 1;
            figures.rising += usize::from(one.trend(self.today, state.window, least_trend) == Trend::Rising);
            figures.unanswered += usize::from(one.summary.responses == 0);
            origins.extend(one.heat.terms.iter().map(|term| term.origin.as_str()));
        }
        figures.origins = origins.len();
        figures
    }

    /// Returns the data of matrix, map and slider over the last `days`.
    pub fn board(&self, state: &BoardState, days: i64) -> HeatBoard {
        // Region and theme are chosen on the board, which shows them beside the others.
        let is_shown = |one: &&HeatedTension| one.is_active() && (!state.unanswered || one.summary.responses == 0);
        board::heat_board(&self.tensions.iter().filter(is_shown).collect::<Vec<_>>(), self.today, days)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        heat::HeatTerm,
        region::{Region, RegionPrecision},
        tension::{Severity, Tension, TensionOrigin},
    };
    use domain::CollectionId;
    use testkit::id;

    const TODAY: i64 = 20_000;

    fn heated(region: &str, theme: &str, heat: f64, before: f64, responses: u64) -> HeatedTension {
        let precision = if region == "000" { RegionPrecision::Unknown } else { RegionPrecision::Country };
        let tension = Tension {
            id: TensionId(id()),
            collection: CollectionId(id()),
            origin: TensionOrigin::Extraction,
            theme: theme.into(),
            kind: "strike".into(),
            title: "Strike".into(),
            statement: "Dockers walked out.".into(),
            region: Region { code: region.into(), precision },
            severity: Severity::Serious,
            confidence: 0.5,
            state: TensionState::Active,
            first_day: TODAY - 9,
            last_day: TODAY,
            cause_heat: heat,
            response_scouted_at: None,
            created_at: Timestamp::from_micros(0),
        };
        let term = HeatTerm { origin: theme.into(), severity: Severity::Serious, age_days: 0, value: heat };
        HeatedTension {
            summary: TensionSummary { tension, responses },
            heat: Heat { value: heat, terms: vec![term] },
            history: BTreeMap::from([(TODAY - 7, before)]),
            latest: TODAY,
        }
    }

    fn overview() -> HeatOverview {
        let tensions = vec![
            heated("466", "food", 0.71, 0.5, 1),
            heated("562", "food", 0.31, 0.3, 0),
            heated("642", "work", 0.2, 0.4, 0),
            heated("000", "work", 0.001, 0.4, 0),
        ];
        HeatOverview { tensions, today: TODAY, searched: 12, searched_at: None }
    }

    #[test]
    fn figures_count_hot_tensions_of_the_chosen_region() {
        let overview = overview();
        let all = overview.figures(&BoardState::default(), 0.05);
        assert_eq!(all, HeatFigures { tensions: 3, rising: 1, unanswered: 2, origins: 2 });
        let africa = BoardState { region: Some("002".into()), ..BoardState::default() };
        assert_eq!(overview.figures(&africa, 0.05).tensions, 2);
        assert_eq!(overview.select(TensionList::Cooled, &BoardState::default()).count(), 1);
    }

    #[test]
    fn the_board_has_the_hottest_tension_of_each_place() {
        let board = overview().board(&BoardState::default(), 10);
        let rows: Vec<&str> = board.regions.iter().map(|place| place.label.as_str()).collect();
        assert_eq!(rows, ["Eastern Europe", "Western Africa", "No country named"]);
        assert_eq!(board.countries.len(), 3);
        assert_eq!((board.days.len(), board.themes.len()), (10, 10));
        let cell = board.series.iter().find(|one| one.place == "011" && one.theme.as_deref() == Some("food")).unwrap();
        assert_eq!((cell.tensions, cell.unanswered, cell.origins), (2, 1, 1));
        assert_eq!((cell.heat[2], cell.heat[9]), (50, 71));
    }

    #[test]
    fn heat_today_is_that_of_the_reader() {
        let one = heated("466", "food", 0.71, 0.5, 0);
        assert_eq!((one.heat_on(TODAY, TODAY), one.heat_on(TODAY - 7, TODAY), one.heat_on(TODAY - 3, TODAY)), (0.71, 0.5, 0.0));
        assert_eq!(one.trend(TODAY, 7, 0.05), Trend::Rising);
        assert_eq!(one.trend(TODAY, 7, 0.5), Trend::Steady);
    }
}
