//! Generated reports with varied names, deterministic by seed.

use bytes::Bytes;

pub const QUESTION: &str = "Who was behind the fire at the grain terminal?";

/// Characters of a report.
const CHARS: usize = 870;
/// Recurring names, as in real reporting; every other name is new.
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

/// Generates `count` named files.
pub fn documents(count: usize) -> Vec<(String, Bytes)> {
    let mut random = SeededRandom(17);
    (0..count).map(|n| (format!("report-{n:05}.txt"), Bytes::from(document(&mut random, n, CHARS)))).collect()
}

/// Generates `count` longer files, distinct for each `reader`.
pub fn pages(reader: u32, count: usize, chars: usize) -> Vec<(String, Bytes)> {
    let mut random = SeededRandom(mix(u64::from(reader) + 1));
    (0..count).map(|n| (format!("page-{reader:04}-{n:03}.txt"), Bytes::from(document(&mut random, n, chars)))).collect()
}

/// Returns the mean length over all pages.
pub fn mean_chars(pages: &[Vec<(String, Bytes)>]) -> u64 {
    let (count, bytes) = pages.iter().flatten().fold((0, 0), |(count, bytes), (_, page)| (count + 1, bytes + page.len()));
    // ASCII letters only, so bytes equal characters.
    (bytes / count.max(1)) as u64
}

fn document(random: &mut SeededRandom, number: usize, chars: usize) -> String {
    let (town, outlet) = (random.word(), random.word());
    let mut text = format!("{} and {} disagree, report {number}\n\n", random.body(), random.body());
    text += &format!("{}, {} March 2031 ({outlet} News) - ", town.to_uppercase(), 1 + random.below(28));
    while text.len() < chars {
        text += &sentence(random, &town);
        text.push(if random.below(3) == 0 { '\n' } else { ' ' });
    }
    text
}

fn sentence(random: &mut SeededRandom, town: &str) -> String {
    let (person, one, other) = (random.person(), random.body(), random.body());
    let (deed, event) = (random.one_of(&DEEDS), random.one_of(&EVENTS));
    let count = 2 + random.below(900);
    match random.below(7) {
        0 => format!("{person}, who speaks for the {one}, said that {event} had cost {count} million crowns."),
        1 => format!("The {one} {deed} the {other} over {event} in {town}."),
        2 => format!("According to {person}, {count} people were hurt because the {one} ignored the {other}."),
        3 => format!("\"We had nothing to do with {event},\" {person} of the {one} told reporters on Monday."),
        4 => format!("{person} is expected to leave the {one} if {event} is not settled by May."),
        5 => format!("Witnesses in {town} saw {count} lorries of the {one} near the gates before {event}."),
        _ => format!("The {one} was founded by {person} and works closely with the {other}."),
    }
}

/// Deterministic random numbers.
pub struct SeededRandom(pub u64);

impl SeededRandom {
    pub fn below(&mut self, limit: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        mix(self.0) % limit
    }

    fn one_of(&mut self, words: &[&'static str]) -> &'static str {
        words[self.below(words.len() as u64) as usize]
    }

    /// Returns a number that identifies a name.
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

pub fn mix(number: u64) -> u64 {
    let mixed = (number ^ (number >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ (mixed >> 31)
}

/// Returns a capitalised word of three syllables.
pub fn capital(number: u64) -> String {
    let syllable = |shift: u32| SYLLABLES[(number >> shift) as usize % SYLLABLES.len()];
    let word = [syllable(0), syllable(8), syllable(16)].concat();
    word[..1].to_uppercase() + &word[1..]
}
