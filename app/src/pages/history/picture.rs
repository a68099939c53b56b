//! Picture of the answers over the versions of a question. The table beside it has the same figures.

use crate::prelude::*;
use domain::assessment::AnswerLine;
use views::HistoryVersion;

const WIDTH: f64 = 640.0;
const HEIGHT: f64 = 260.0;
/// Room for the labels on each side.
const MARGIN: f64 = 44.0;
/// Styles of lines, which repeat.
const STYLES: usize = 4;

/// Letter by which picture and table name an answer.
pub fn letter(n: usize) -> char {
    char::from(b'A' + (n % 26) as u8)
}

/// Lines of the answers, from 0 to 100 %, with a point for each version that has the answer.
#[component]
pub fn Picture(answers: Vec<AnswerLine>, versions: Vec<HistoryVersion>) -> impl IntoView {
    let gaps = versions.len().saturating_sub(1).max(1) as f64;
    let x = move |version: usize| MARGIN + version as f64 * (WIDTH - 2.0 * MARGIN) / gaps;
    let y = |probability: f64| HEIGHT - MARGIN - probability.clamp(0.0, 1.0) * (HEIGHT - 2.0 * MARGIN);
    let grid = [0.0, 0.5, 1.0].into_iter().map(|level| {
        view! {
            <line class="history-grid" x1=MARGIN y1=y(level) x2=WIDTH - MARGIN y2=y(level) />
            <text x=MARGIN - 8.0 y=y(level) + 4.0 text-anchor="end">{format::percent(level)}</text>
        }
    });
    let grid = grid.collect_view();
    let ticks = versions.iter().enumerate().map(|(n, version)| {
        view! { <text x=x(n) y=HEIGHT - 16.0 text-anchor="middle">{format!("v{}", version.number)}</text> }
    });
    let ticks = ticks.collect_view();
    let lines = answers.iter().enumerate().map(|(n, answer)| {
        let style = if answer.is_none { "none".to_owned() } else { (n % STYLES).to_string() };
        let points: Vec<(f64, f64)> = answer
            .probabilities
            .iter()
            .enumerate()
            .filter_map(|(version, probability)| probability.map(|probability| (x(version), y(probability))))
            .collect();
        // A version without the answer leaves a hole.
        let pairs = answer.probabilities.windows(2).enumerate().filter_map(|(version, pair)| match pair {
            [Some(from), Some(to)] => Some((version, *from, *to)),
            _ => None,
        });
        let strokes = pairs.map(|(version, from, to)| {
            view! { <line x1=x(version) y1=y(from) x2=x(version + 1) y2=y(to) /> }
        });
        let strokes = strokes.collect_view();
        let last = points.last().map(|(x, y)| {
            view! { <text x=x + 10.0 y=y + 4.0 text-anchor="start">{letter(n).to_string()}</text> }
        });
        let dots = points.iter().map(|(x, y)| view! { <circle cx=*x cy=*y r="4" /> }).collect_view();
        view! { <g class=format!("history-line history-line-{style}")>{strokes}{dots}{last}</g> }
    });
    let lines = lines.collect_view();
    view! {
        <figure class="history-picture">
            <svg viewBox=format!("0 0 {WIDTH} {HEIGHT}") role="img" aria-label="Probability of each answer in each version; the table has the figures">
                {grid}
                {ticks}
                {lines}
            </svg>
            <figcaption class="muted">"The letters are those of the table."</figcaption>
        </figure>
    }
}
