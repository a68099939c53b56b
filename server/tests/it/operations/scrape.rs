//! Parser for the output of `/metrics`.

use crate::prelude::*;

/// Parsed output of one scrape.
#[derive(Debug, Default)]
pub struct Scrape {
    /// Types by metric name.
    pub kinds: BTreeMap<String, String>,
    pub helped: BTreeSet<String>,
    /// Series by name, for histograms with `_bucket`, `_sum`, `_count`.
    pub series: BTreeMap<String, Vec<Series>>,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Series {
    pub labels: BTreeMap<String, String>,
    pub value: f64,
}

impl Scrape {
    pub fn read(text: &str) -> Self {
        let mut scrape = Self::default();
        for line in text.lines().filter(|line| !line.is_empty()) {
            if let Some(help) = line.strip_prefix("# HELP ") {
                scrape.helped.insert(help.split(' ').next().unwrap().to_owned());
            } else if let Some(kind) = line.strip_prefix("# TYPE ") {
                let (name, kind) = kind.split_once(' ').unwrap();
                scrape.kinds.insert(name.to_owned(), kind.to_owned());
            } else {
                let (name, series) = series(line);
                scrape.series.entry(name).or_default().push(series);
            }
        }
        scrape
    }

    /// Returns the labels of a series; `None` if it does not exist.
    pub fn labels(&self, name: &str) -> Option<BTreeSet<&str>> {
        let all = self.series.get(name)?;
        Some(all.iter().flat_map(|series| series.labels.keys().map(String::as_str)).collect())
    }

    /// Sums all series with these labels.
    pub fn sum(&self, name: &str, labels: &[(&str, &str)]) -> f64 {
        let all = self.series.get(name).map(Vec::as_slice).unwrap_or_default();
        let fits =
            |series: &&Series| labels.iter().all(|(label, value)| series.labels.get(*label).is_some_and(|is| is == value));
        all.iter().filter(fits).map(|series| series.value).sum()
    }
}

fn series(line: &str) -> (String, Series) {
    let (head, value) = line.rsplit_once(' ').unwrap();
    let value = value.parse().unwrap_or_else(|_| panic!("no number: {line}"));
    let Some((name, labels)) = head.split_once('{') else {
        return (head.to_owned(), Series { labels: BTreeMap::new(), value });
    };
    let labels = labels.strip_suffix('}').unwrap();
    // Our label values contain no comma or quotation mark.
    let labels = labels.split("\",").filter(|label| !label.is_empty()).map(|label| {
        let (key, value) = label.split_once("=\"").unwrap();
        (key.to_owned(), value.trim_end_matches('"').to_owned())
    });
    (name.to_owned(), Series { labels: labels.collect(), value })
}
