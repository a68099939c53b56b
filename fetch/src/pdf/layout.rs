//! Text of a page from the places of its characters.

use super::columns::{self, GAP_SIZES, Rule, Segment};
use pdf_extract::{ColorSpace, MediaBox, OutputDev, OutputError, Path, PathOp, Transform};

/// Thickest rule, in points.
const MAX_RULE_POINTS: f64 = 3.0;
const MAX_RULES: usize = 2_000;

/// Collects the characters of a page in drawing order.
#[derive(Default)]
pub(super) struct PageLayout {
    segments: Vec<Segment>,
    /// Separator of each segment from the one before.
    separators: Vec<&'static str>,
    rules: Vec<Rule>,
    /// Some text runs in another direction, for which there is no order of columns.
    is_turned: bool,
    begins_word: bool,
    last_end: f64,
    last_y: f64,
    /// End of the last character that is no space.
    ink_end: f64,
}

impl PageLayout {
    pub fn into_text(self) -> String {
        let regions = if self.is_turned { Vec::new() } else { columns::regions(&self.segments, &self.rules) };
        let mut text = String::new();
        let mut is_written = vec![false; self.segments.len()];
        for at in 0..self.segments.len() {
            if is_written[at] {
                continue;
            }
            let Some(region) = regions.iter().find(|region| region.iter().flatten().any(|inside| *inside == at)) else {
                text.push_str(self.separators[at]);
                text.push_str(&self.segments[at].text);
                continue;
            };
            for column in region {
                self.column(column, &mut text);
                column.iter().for_each(|at| is_written[*at] = true);
            }
            text.push_str("\n\n");
        }
        text
    }

    /// Lines of a column. A paragraph ends at its foot, unless its sentence goes on.
    fn column(&self, column: &[usize], text: &mut String) {
        let mut before: Option<&Segment> = None;
        for segment in column.iter().map(|at| &self.segments[*at]) {
            let down = before.map(|before| segment.y - before.y);
            text.push_str(match down {
                Some(down) if down.abs() < 0.5 * segment.size => " ",
                Some(down) if down < 1.5 * segment.size => "\n",
                None if segment.text.starts_with(char::is_lowercase) && ends_open(text) => "\n",
                _ => "\n\n",
            });
            text.push_str(segment.text.trim());
            before = Some(segment);
        }
    }
}

/// Whether a text stops within a sentence.
fn ends_open(text: &str) -> bool {
    text.trim_end().ends_with(|c: char| c.is_alphanumeric() || ",;-\u{2010}\u{ad}".contains(c))
}

impl OutputDev for PageLayout {
    fn begin_page(&mut self, _: u32, _: &MediaBox, _: Option<(f64, f64, f64, f64)>) -> Result<(), OutputError> {
        self.last_end = 100_000.0;
        Ok(())
    }

    fn end_page(&mut self) -> Result<(), OutputError> {
        Ok(())
    }

    fn output_character(&mut self, at: &Transform, width: f64, _: f64, font_size: f64, text: &str) -> Result<(), OutputError> {
        let (across, along) = ((at.m11 + at.m21) * font_size, (at.m12 + at.m22) * font_size);
        let size = (across * along).sqrt();
        let (x, y) = (at.m31, -at.m32);
        self.is_turned |= at.m12.abs() > 0.1 * at.m11.abs() || at.m11 < 0.0;
        let down = (y - self.last_y).abs();
        let mut separator = "";
        if self.begins_word {
            let is_far = down > size * 1.5;
            // To the left and down.
            let is_line = x < self.last_end && down > size * 0.5;
            let is_apart = x > self.last_end + size * 0.1;
            separator = match (is_far, is_line, is_apart) {
                (true, true, _) => "\n\n",
                (true, false, true) => "\n ",
                (true, false, false) | (false, true, _) => "\n",
                (false, false, true) => " ",
                (false, false, false) => "",
            };
        }
        let is_blank = text.chars().all(char::is_whitespace);
        let is_wide = !is_blank && x > self.ink_end + GAP_SIZES * size;
        let end = x + width * size;
        match self.segments.last_mut() {
            Some(segment) if !separator.contains('\n') && !is_wide && down <= size * 0.5 => {
                segment.text.push_str(separator);
                segment.text.push_str(text);
                segment.right = if is_blank { segment.right } else { segment.right.max(end) };
            }
            _ => {
                self.segments.push(Segment { text: text.to_owned(), left: x, right: end, y, size });
                self.separators.push(separator);
            }
        }
        if !is_blank {
            self.ink_end = end;
        }
        self.begins_word = false;
        self.last_y = y;
        self.last_end = end;
        Ok(())
    }

    fn begin_word(&mut self) -> Result<(), OutputError> {
        self.begins_word = true;
        Ok(())
    }

    fn end_word(&mut self) -> Result<(), OutputError> {
        Ok(())
    }

    fn end_line(&mut self) -> Result<(), OutputError> {
        Ok(())
    }

    fn stroke(&mut self, at: &Transform, _: &ColorSpace, _: &[f64], path: &Path) -> Result<(), OutputError> {
        self.note_rules(at, path);
        Ok(())
    }

    fn fill(&mut self, at: &Transform, _: &ColorSpace, _: &[f64], path: &Path) -> Result<(), OutputError> {
        self.note_rules(at, path);
        Ok(())
    }
}

impl PageLayout {
    fn note_rules(&mut self, at: &Transform, path: &Path) {
        let mut from = (0.0, 0.0);
        for op in &path.ops {
            let (start, end) = match *op {
                PathOp::MoveTo(x, y) | PathOp::CurveTo(_, _, _, _, x, y) => {
                    from = (x, y);
                    continue;
                }
                PathOp::LineTo(x, y) => (std::mem::replace(&mut from, (x, y)), (x, y)),
                PathOp::Rect(x, y, width, height) => ((x, y), (x + width, y + height)),
                PathOp::Close => continue,
            };
            let place = |(x, y): (f64, f64)| (at.m11 * x + at.m21 * y + at.m31, -(at.m12 * x + at.m22 * y + at.m32));
            let (start, end) = (place(start), place(end));
            let is_flat = (start.1 - end.1).abs() <= MAX_RULE_POINTS;
            if is_flat && self.rules.len() < MAX_RULES {
                self.rules.push(Rule { left: start.0.min(end.0), right: start.0.max(end.0), y: start.1 });
            }
            // A box has two.
            if matches!(op, PathOp::Rect(..)) && !is_flat && self.rules.len() + 1 < MAX_RULES {
                let (left, right) = (start.0.min(end.0), start.0.max(end.0));
                self.rules.extend([start.1, end.1].map(|y| Rule { left, right, y }));
            }
        }
    }
}
