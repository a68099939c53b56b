//! Invented reports with varied names, the same every time.

use bytes::Bytes;

pub(super) const QUESTION: &str = "Who was behind the fire at the grain terminal?";

/// Of a report.
const CHARS: usize = 870;
/// Names that turn up again and again, as in real reporting; every other one is new.
const KNOWN: u64 = 120;

const FIRST: [&str; 12] =
    ["Anna", "Boris", "Clara", "David", "Edith", "Farid", "Greta", "Hassan", "Irene", "Jonas", "Katya", "Lucian"];
const SYLLABLES: [&str; 16] =
    ["ka", "ro", "mi", "ten", "va", "lus", "or", "be", "shi", "dan", "gu", "fel", "no", "pra", "zi", "hek"];
const BODIES: [&str; 8] =
    ["Port Authority", "Shipping Company", "Workers' Union", "Ministry", "Bank", "Grain Board", "Police", "Institute"];
const DEEDS: [&str; 8] = [
    "accused",
    "signed an agreement with",
    "denied any link to",
    "blamed",
    "ordered an inquiry into",
    "sold its shares to",
    "warned",
    "met officials of",
];
const EVENTS: [&str; 6] =
    ["the fire at the grain terminal", "the strike", "the missing cargo", "the new tariff", "the power cut", "the audit"];

/// `count` files with their names.
pub(super) fn documents(count: usize) -> Vec<(String, Bytes)> {
    let mut draw = Draw(17);
    (0..count).map(|n| (format!("report-{n:05}.txt"), Bytes::from(document(&mut draw, n, CHARS)))).collect()
}

/// `count` longer ones, which no other `reader` gets.
pub(super) fn pages(reader: u32, count: usize, chars: usize) -> Vec<(String, Bytes)> {
    let mut draw = Draw(mix(u64::from(reader) + 1));
    (0..count).map(|n| (format!("page-{reader:04}-{n:03}.txt"), Bytes::from(document(&mut draw, n, chars)))).collect()
}

/// Over all pages of all readers.
pub(super) fn mean_chars(pages: &[Vec<(String, Bytes)>]) -> u64 {
    let (count, bytes) = pages.iter().flatten().fold((0, 0), |(count, bytes), (_, page)| (count + 1, bytes + page.len()));
    // Letters without accents: a byte each.
    (bytes / count.max(1)) as u64
}

fn document(draw: &mut Draw, number: usize, chars: usize) -> String {
    let (place, outlet) = (draw.word(), draw.word());
    let mut text = format!("{} and {} disagree, report {number}\n\n", draw.body(), draw.body());
    text += &format!("{}, {} March 2031 ({outlet} News) - ", place.to_uppercase(), 1 + draw.below(28));
    while text.len() < chars {
        text += &sentence(draw, &place);
        text.push(if draw.below(3) == 0 { '\n' } else { ' ' });
    }
    text
}

fn sentence(draw: &mut Draw, place: &str) -> String {
    let (person, one, other) = (draw.person(), draw.body(), draw.body());
    let (deed, event) = (draw.one_of(&DEEDS), draw.one_of(&EVENTS));
    let count = 2 + draw.below(900);
    match draw.below(7) {
        0 => format!("{person}, who speaks for the {one}, said that {event} had cost {count} million crowns."),
        1 => format!("The {one} {deed} the {other} over {event} in {place}."),
        2 => format!("According to {person}, {count} people were hurt because the {one} ignored the {other}."),
        3 => format!("\"We had nothing to do with {event},\" {person} of the {one} told reporters on Monday."),
        4 => format!("{person} is expected to leave the {one} if {event} is not settled by May."),
        5 => format!("Witnesses in {place} saw {count} lorries of the {one} near the gates before {event}."),
        _ => format!("The {one} was founded by {person} and works closely with the {other}."),
    }
}

/// Numbers that look like chance and are the same every time.
struct Draw(u64);

impl Draw {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        mix(self.0) % limit
    }

    fn one_of(&mut self, words: &[&'static str]) -> &'static str {
        words[self.below(words.len() as u64) as usize]
    }

    /// A number that stands for a name.
    fn name(&mut self) -> u64 {
        if self.below(2) == 0 { mix(self.below(KNOWN)) } else { mix(self.0) }
    }

    fn word(&mut self) -> String {
        capital(self.name())
    }

    fn body(&mut self) -> String {
        let name = self.name();
        format!("{} {}", capital(name), BODIES[(name >> 40) as usize % BODIES.len()])
    }

    fn person(&mut self) -> String {
        let name = self.name();
        format!("{} {}", FIRST[(name >> 40) as usize % FIRST.len()], capital(name))
    }
}

fn mix(number: u64) -> u64 {
    let mixed = (number ^ (number >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ (mixed >> 31)
}

/// Three syllables with a capital.
fn capital(number: u64) -> String {
    let syllable = |shift: u32| SYLLABLES[(number >> shift) as usize % SYLLABLES.len()];
    let word = [syllable(0), syllable(8), syllable(16)].concat();
    word[..1].to_uppercase() + &word[1..]
}
