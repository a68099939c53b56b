//! Reading order of columns of prose whose lines are drawn across the page.
//!
//! Invariant: only lines of prose that were drawn in turns are put into another order. Tables stay rows.

/// Text on one line without a wide gap, in drawing order.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Segment {
    pub text: String,
    pub left: f64,
    pub right: f64,
    /// Distance downwards from any fixed point.
    pub y: f64,
    pub size: f64,
}

/// Horizontal rule on a page.
#[derive(Debug, Clone, Copy)]
pub(super) struct Rule {
    pub left: f64,
    pub right: f64,
    pub y: f64,
}

/// Gap between two segments, in sizes of the font: more than any space between words, less than any gutter.
pub(super) const GAP_SIZES: f64 = 1.0;
/// Beginnings of lines that count as aligned, in sizes of the font.
const ALIGNED_SIZES: f64 = 0.6;
/// Lines that make a column.
const MIN_LINES: usize = 3;
/// Beginnings of columns that are tried per region.
const MAX_TRIALS: usize = 6;
const MAX_SEGMENTS: usize = 5_000;
/// Lines of prose: words, letters, and the share of lines that begin in the midst of a sentence, in percent.
const PROSE_WORDS: usize = 3;
const PROSE_LETTERS: usize = 12;
const PROSE_CONTINUED_PERCENT: usize = 30;
/// Rules across a gutter from which the lines are a table.
const TABLE_RULES: usize = 2;

/// Regions of a page whose reading order differs from the drawing order: indexes of segments, column after column.
pub(super) fn regions(segments: &[Segment], rules: &[Rule]) -> Vec<Vec<Vec<usize>>> {
    if segments.len() > MAX_SEGMENTS {
        return Vec::new();
    }
    let mut found = Vec::new();
    find(segments, (0..segments.len()).collect(), rules, &mut found);
    found
}

/// Finds regions among some segments, given in drawing order.
fn find(segments: &[Segment], among: Vec<usize>, rules: &[Rule], found: &mut Vec<Vec<Vec<usize>>>) {
    for gutter in gutters(segments, &among) {
        let bands = bands(segments, &among, gutter);
        let split: Vec<_> = bands.iter().map(|band| columns(segments, band, gutter, rules)).collect();
        if split.iter().all(Option::is_none) {
            continue;
        }
        for (band, split) in bands.into_iter().zip(split) {
            match split {
                Some(columns) => found.push(columns.into_iter().flat_map(|column| ordered(segments, column, rules)).collect()),
                None if band.len() < among.len() => find(segments, band, rules, found),
                None => {}
            }
        }
        return;
    }
}

/// Columns within a column: its own halves, or itself.
fn ordered(segments: &[Segment], column: Vec<usize>, rules: &[Rule]) -> Vec<Vec<usize>> {
    for gutter in gutters(segments, &column) {
        if let [band] = &bands(segments, &column, gutter)[..]
            && let Some([left, right]) = columns(segments, band, gutter, rules)
        {
            return [ordered(segments, left, rules), ordered(segments, right, rules)].concat();
        }
    }
    vec![column]
}

/// Places where the second or a later segment of several lines begins, the most frequent first.
fn gutters(segments: &[Segment], among: &[usize]) -> Vec<f64> {
    let mut starts: Vec<(f64, usize)> = Vec::new();
    for line in lines(segments, among) {
        for at in line.iter().skip(1) {
            let segment = &segments[*at];
            match starts.iter_mut().find(|(left, _)| (*left - segment.left).abs() < ALIGNED_SIZES * segment.size) {
                Some((_, count)) => *count += 1,
                None => starts.push((segment.left, 1)),
            }
        }
    }
    starts.retain(|(_, count)| *count >= MIN_LINES);
    starts.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    starts.into_iter().take(MAX_TRIALS).map(|(left, _)| left).collect()
}

/// Segments of each line, from left to right; lines from top to bottom.
fn lines(segments: &[Segment], among: &[usize]) -> Vec<Vec<usize>> {
    let mut sorted = among.to_vec();
    sorted.sort_by(|a, b| segments[*a].y.total_cmp(&segments[*b].y));
    let mut lines: Vec<Vec<usize>> = Vec::new();
    for at in sorted {
        match lines.last_mut() {
            Some(line) if segments[at].y - segments[line[0]].y < 0.5 * segments[at].size => line.push(at),
            _ => lines.push(vec![at]),
        }
    }
    lines.iter_mut().for_each(|line| line.sort_by(|a, b| segments[*a].left.total_cmp(&segments[*b].left)));
    lines
}

/// Runs of lines that leave a gutter free, in drawing order each.
fn bands(segments: &[Segment], among: &[usize], gutter: f64) -> Vec<Vec<usize>> {
    let mut bands = vec![Vec::new()];
    for line in lines(segments, among) {
        let crosses = |at: &usize| {
            let segment = &segments[*at];
            segment.left < gutter - ALIGNED_SIZES * segment.size && segment.right > gutter - 0.2 * segment.size
        };
        match line.iter().any(crosses) {
            true => bands.push(Vec::new()),
            false => bands.last_mut().into_iter().for_each(|band| band.extend(&line)),
        }
    }
    bands.retain(|band| !band.is_empty());
    bands.iter_mut().for_each(|band| band.sort_unstable());
    bands
}

/// The two sides of a gutter, if both are prose and were drawn in turns.
fn columns(segments: &[Segment], band: &[usize], gutter: f64, rules: &[Rule]) -> Option<[Vec<usize>; 2]> {
    let is_left = |at: &usize| segments[*at].left < gutter - ALIGNED_SIZES * segments[*at].size;
    let turns = band.windows(2).filter(|pair| is_left(&pair[0]) != is_left(&pair[1])).count();
    let (left, right): (Vec<usize>, Vec<usize>) = band.iter().copied().partition(is_left);
    let shorter = lines(segments, &left).len().min(lines(segments, &right).len());
    let height = |pick: fn(f64, f64) -> f64, from: f64| band.iter().fold(from, |y, at| pick(y, segments[*at].y));
    let (top, bottom) = (height(f64::min, f64::INFINITY), height(f64::max, f64::NEG_INFINITY));
    let is_across = |rule: &&Rule| rule.left < gutter && rule.right > gutter + 20.0 && rule.y > top && rule.y < bottom;
    let is_table = rules.iter().filter(is_across).count() >= TABLE_RULES;
    let is_prose = is_prose(segments, &left) && is_prose(segments, &right);
    (shorter >= MIN_LINES && turns >= shorter && is_prose && !is_table).then_some([left, right])
}

fn is_prose(segments: &[Segment], among: &[usize]) -> bool {
    let median = |count: fn(&str) -> usize| {
        let mut counts: Vec<usize> = among.iter().map(|at| count(&segments[*at].text)).collect();
        counts.sort_unstable();
        counts.get(counts.len() / 2).copied().unwrap_or(0)
    };
    let letters = median(|text| text.chars().filter(|c| c.is_alphabetic()).count());
    let first = |at: &usize| segments[*at].text.trim_start().chars().next();
    let continued = among.iter().filter(|at| first(at).is_some_and(char::is_lowercase)).count();
    // Scripts without case have no spaces between words either, or no letters that tell.
    let cased = among.iter().filter(|at| first(at).is_some_and(|c| c.is_lowercase() || c.is_uppercase())).count();
    if cased * 2 < among.len() {
        return letters >= PROSE_LETTERS;
    }
    median(|text| text.split_whitespace().count()) >= PROSE_WORDS
        && letters >= PROSE_LETTERS
        && continued * 100 >= among.len() * PROSE_CONTINUED_PERCENT
}
