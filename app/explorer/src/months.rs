//! Months in which relationships were first stated, and the slider over them.

/// Returns the month of a day or moment as text, as a number that grows by one from month to month.
pub fn month_number(moment: &str) -> Option<i32> {
    let year: i32 = moment.get(..4)?.parse().ok()?;
    let month: i32 = moment.get(5..7)?.parse().ok()?;
    Some(year * 12 + month - 1)
}

/// Month as an address holds it, `2026-11`.
pub fn month_text(month: i32) -> String {
    format!("{:04}-{:02}", month.div_euclid(12), month.rem_euclid(12) + 1)
}

/// Slider over months: its ends and the chosen one. With equal ends there is nothing to choose.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct MonthSlider {
    pub first: i32,
    pub last: i32,
    pub month: i32,
}

impl MonthSlider {
    /// Returns the slider over the months of a graph; its ends only move apart. `until` is that of the address.
    pub fn over(self, months: impl IntoIterator<Item = i32>, until: Option<&str>) -> Self {
        let until = until.and_then(month_number);
        let known = (self != Self::default()).then_some([self.first, self.last]).into_iter().flatten();
        let all: Vec<i32> = months.into_iter().chain(known).chain(until).collect();
        let Some((first, last)) = all.iter().min().zip(all.iter().max()) else { return Self::default() };
        Self { first: *first, last: *last, month: until.unwrap_or(*last) }
    }

    pub const fn is_needed(self) -> bool {
        self.first != self.last
    }

    /// Returns the month after which nothing is shown; none at the end of the slider.
    pub fn until(self) -> Option<i32> {
        (self.is_needed() && self.month != self.last).then_some(self.month)
    }

    /// Words beside the slider.
    pub fn words(self) -> String {
        self.until().map_or_else(|| "all".to_owned(), month_text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_month_is_read_from_days_and_moments() {
        let month = 2026 * 12 + 10;
        assert_eq!(["2026-11", "2026-11-28T10:00:00Z"].map(month_number), [Some(month), Some(month)]);
        assert_eq!(
            (month_number("2026"), month_text(month), month_text(month + 2)),
            (None, "2026-11".into(), "2027-01".into())
        );
    }

    #[test]
    fn a_slider_spans_the_months_and_the_address() {
        let empty = MonthSlider::default().over([], None);
        assert!(!empty.is_needed() && empty.words() == "all");
        let whole = empty.over([100, 104], None);
        assert_eq!((whole, whole.until()), (MonthSlider { first: 100, last: 104, month: 104 }, None));
        let narrowed = whole.over([102], Some("0008-06"));
        assert_eq!(narrowed, MonthSlider { first: 100, last: 104, month: 101 });
        assert_eq!((narrowed.until(), narrowed.words()), (Some(101), "0008-06".to_owned()));
    }
}
