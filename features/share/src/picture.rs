//! The picture that previews of a link show: the mark of the program, and a bar with its percentage for each answer. It has no words,
//! so it needs no font and suits every language.

use feature::shareable::SharedBar;
use flate2::{Compression, Crc, write::ZlibEncoder};
use std::io::{self, Write};

/// Size that previews ask for, in pixels.
const WIDTH: usize = 1_200;
const HEIGHT: usize = 630;
/// Bars that find room.
const MAX_BARS: usize = 4;
const MARGIN: usize = 80;
const BAR_WIDTH: usize = 800;
const BAR_HEIGHT: usize = 72;
const BAR_STEP: usize = 108;
const BARS_TOP: usize = 180;
/// Side of a point of a digit, in pixels.
const POINT: usize = 10;
/// Columns and rows of a digit.
const COLUMNS: usize = 5;
const ROWS: usize = 7;

/// Colours by their numbers: paper, track, leading bar, other bars, digits.
const PALETTE: [[u8; 3]; 5] = [[255, 255, 255], [226, 232, 240], [31, 95, 168], [122, 160, 204], [27, 36, 48]];
const PAPER: u8 = 0;
const TRACK: u8 = 1;
const LEADING: u8 = 2;
const OTHER: u8 = 3;
const INK: u8 = 4;

/// Digits 0 to 9 and the percent sign: a byte for each row, with the leftmost point in bit 4.
const DIGITS: [[u8; ROWS]; 11] = [
    [0x0e, 0x11, 0x13, 0x15, 0x19, 0x11, 0x0e],
    [0x04, 0x0c, 0x04, 0x04, 0x04, 0x04, 0x0e],
    [0x0e, 0x11, 0x01, 0x02, 0x04, 0x08, 0x1f],
    [0x1f, 0x02, 0x04, 0x02, 0x01, 0x11, 0x0e],
    [0x02, 0x06, 0x0a, 0x12, 0x1f, 0x02, 0x02],
    [0x1f, 0x10, 0x1e, 0x01, 0x01, 0x11, 0x0e],
    [0x06, 0x08, 0x10, 0x1e, 0x11, 0x11, 0x0e],
    [0x1f, 0x01, 0x02, 0x04, 0x08, 0x08, 0x08],
    [0x0e, 0x11, 0x11, 0x0e, 0x11, 0x11, 0x0e],
    [0x0e, 0x11, 0x11, 0x0f, 0x01, 0x02, 0x0c],
    [0x18, 0x19, 0x02, 0x04, 0x08, 0x13, 0x03],
];
const PERCENT: usize = 10;

/// Picture with a colour number for each pixel.
struct Canvas(Vec<u8>);

impl Canvas {
    fn rectangle(&mut self, left: usize, top: usize, width: usize, height: usize, colour: u8) {
        for row in self.0.chunks_exact_mut(WIDTH).skip(top).take(height) {
            row.iter_mut().skip(left).take(width).for_each(|pixel| *pixel = colour);
        }
    }

    /// Draws a ring around a dot.
    fn mark(&mut self, centre: (usize, usize), radius: usize, colour: u8) {
        let (outer, inner, dot) = (radius * radius, radius * radius / 2, radius * radius / 8);
        for (y, row) in self.0.chunks_exact_mut(WIDTH).enumerate() {
            for (x, pixel) in row.iter_mut().enumerate() {
                let distance = x.abs_diff(centre.0).pow(2) + y.abs_diff(centre.1).pow(2);
                if distance <= dot || (inner..=outer).contains(&distance) {
                    *pixel = colour;
                }
            }
        }
    }

    fn digits(&mut self, digits: &[usize], left: usize, top: usize) {
        for (place, digit) in digits.iter().enumerate() {
            let left = left + place * (COLUMNS + 1) * POINT;
            for (y, row) in DIGITS[*digit].iter().enumerate() {
                for x in (0..COLUMNS).filter(|x| row & (0x10_u8 >> x) != 0) {
                    self.rectangle(left + x * POINT, top + y * POINT, POINT, POINT, INK);
                }
            }
        }
    }
}

/// Returns the picture of an object as PNG, of 1,200 × 630 pixels.
pub fn draw_picture(bars: &[SharedBar]) -> Vec<u8> {
    let mut canvas = Canvas(vec![PAPER; WIDTH * HEIGHT]);
    canvas.mark((MARGIN + 40, 90), 44, LEADING);
    for (place, bar) in bars.iter().take(MAX_BARS).enumerate() {
        let (top, percent) = (BARS_TOP + place * BAR_STEP, bar.percent.min(100) as usize);
        canvas.rectangle(MARGIN, top, BAR_WIDTH, BAR_HEIGHT, TRACK);
        canvas.rectangle(MARGIN, top, BAR_WIDTH * percent / 100, BAR_HEIGHT, if place == 0 { LEADING } else { OTHER });
        let mut digits: Vec<usize> = percent.to_string().bytes().map(|digit| usize::from(digit - b'0')).collect();
        digits.push(PERCENT);
        canvas.digits(&digits, MARGIN + BAR_WIDTH + 3 * POINT, top);
    }
    // Writing to memory does not fail.
    png(&canvas).unwrap_or_default()
}

/// Returns a picture as PNG with a palette.
fn png(canvas: &Canvas) -> io::Result<Vec<u8>> {
    let mut header = vec![];
    header.extend((WIDTH as u32).to_be_bytes());
    header.extend((HEIGHT as u32).to_be_bytes());
    // Eight bits per pixel, a palette, and the usual methods.
    header.extend([8, 3, 0, 0, 0]);
    let mut data = ZlibEncoder::new(vec![], Compression::default());
    for row in canvas.0.chunks_exact(WIDTH) {
        // A row without a filter.
        data.write_all(&[0])?;
        data.write_all(row)?;
    }
    let mut file = b"\x89PNG\r\n\x1a\n".to_vec();
    for (name, content) in [(b"IHDR", header), (b"PLTE", PALETTE.concat()), (b"IDAT", data.finish()?), (b"IEND", vec![])] {
        file.extend((content.len() as u32).to_be_bytes());
        let mut sum = Crc::new();
        sum.update(name);
        sum.update(&content);
        file.extend(name);
        file.extend(content);
        file.extend(sum.sum().to_be_bytes());
    }
    Ok(file)
}

#[cfg(test)]
mod tests {
    use super::*;
    use flate2::read::ZlibDecoder;
    use std::io::Read;

    #[test]
    fn the_picture_shows_each_bar_by_its_length() {
        let bar = |percent| SharedBar { label: String::new(), percent };
        let png = draw_picture(&[bar(88), bar(6)]);
        assert!(png.starts_with(b"\x89PNG") && png.len() < 20_000, "{}", png.len());
        let at = png.windows(4).position(|name| name == b"IDAT").unwrap();
        let mut pixels = vec![];
        ZlibDecoder::new(&png[at + 4..]).read_to_end(&mut pixels).unwrap();
        assert_eq!(pixels.len(), (WIDTH + 1) * HEIGHT);
        let painted = |place: usize, colour: u8| {
            let row = (BARS_TOP + place * BAR_STEP + 1) * (WIDTH + 1);
            pixels[row + 1..row + 1 + MARGIN + BAR_WIDTH].iter().filter(|pixel| **pixel == colour).count()
        };
        assert_eq!((painted(0, LEADING), painted(0, TRACK), painted(1, OTHER)), (704, 96, 48));
    }
}
