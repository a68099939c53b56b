//! Text sketch: minimum hashes of its word triples under many permutations (MinHash). The share of equal positions estimates the
//! overlap of two texts.

/// Hashes per sketch; the standard error is about 4 percentage points.
const HASHES: usize = 126;
/// Hashes per band. Texts sharing a band are compared: 94 % of those with 40 % common triples, 4 % of those with 10 %.
const BAND_HASHES: usize = 3;
const BYTES_PER_HASH: usize = 4;
/// Words per triple.
const WORDS: usize = 3;
/// Minimum number of triples; shorter texts only match equal ones.
const MIN_TRIPLES: usize = 8;
/// Maximum number of words used, which bounds the cost.
const MAX_WORDS: usize = 20_000;

/// Key of a band: position and hashes in one number.
pub type Band = i64;

/// MinHash sketch of a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sketch(Vec<u32>);

impl Sketch {
    /// Sketches a text by its words alone; `None` with too few. Case, punctuation and line ends are ignored.
    pub fn from_text(text: &str) -> Option<Self> {
        let words = words(text);
        if words.len() < MIN_TRIPLES + WORDS - 1 {
            return None;
        }
        let mut least = vec![u32::MAX; HASHES];
        for triple in words.windows(WORDS) {
            let hash = triple.iter().fold(0, |hash: u64, word| mix(hash.rotate_left(21) ^ word));
            for (place, least) in least.iter_mut().enumerate() {
                let (factor, shift) = ORDERS[place];
                *least = (*least).min((hash.wrapping_mul(factor).wrapping_add(shift) >> 32) as u32);
            }
        }
        Some(Self(least))
    }

    /// Returns whether the estimated overlap reaches this percentage.
    pub fn is_near(&self, other: &Self, percent: u32) -> bool {
        let alike = self.0.iter().zip(&other.0).filter(|(a, b)| a == b).count();
        alike * 100 >= HASHES * percent as usize
    }

    /// Returns the look-up keys of the sketch.
    pub fn bands(&self) -> impl Iterator<Item = Band> {
        self.0.chunks(BAND_HASHES).enumerate().map(|(place, hashes)| {
            let key = hashes.iter().fold(place as u64, |key, hash| mix(key.rotate_left(17) ^ u64::from(*hash)));
            i64::from_ne_bytes(key.to_ne_bytes())
        })
    }

    /// Encodes the sketch for storage.
    pub fn to_bytes(&self) -> Vec<u8> {
        self.0.iter().flat_map(|hash| hash.to_le_bytes()).collect()
    }

    /// Decodes a sketch; `None` for other versions.
    pub fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let (hashes, rest) = bytes.as_chunks::<BYTES_PER_HASH>();
        (hashes.len() == HASHES && rest.is_empty()).then(|| Self(hashes.iter().map(|hash| u32::from_le_bytes(*hash)).collect()))
    }
}

/// Permutations: an odd factor and a shift per position, from a fixed sequence.
static ORDERS: [(u64, u64); HASHES] = orders();

const fn orders() -> [(u64, u64); HASHES] {
    let mut orders = [(0, 0); HASHES];
    let mut place = 0;
    while place < HASHES {
        orders[place] = (mix(2 * place as u64 + 1) | 1, mix(2 * place as u64 + 2));
        place += 1;
    }
    orders
}

/// Finaliser of SplitMix64.
const fn mix(mut value: u64) -> u64 {
    value = value.wrapping_add(0x9e37_79b9_7f4a_7c15);
    value = (value ^ (value >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    value = (value ^ (value >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    value ^ (value >> 31)
}

/// Returns word hashes in order. In scripts without spaces each character is a word.
fn words(text: &str) -> Vec<u64> {
    let mut words = Vec::new();
    let mut word: Option<u64> = None;
    for c in text.chars() {
        let stands_alone = is_word_by_itself(c);
        if (stands_alone || !c.is_alphanumeric())
            && let Some(word) = word.take()
        {
            words.push(word);
        }
        if words.len() >= MAX_WORDS {
            return words;
        }
        if stands_alone {
            words.push(mix(u64::from(c)));
        } else if c.is_alphanumeric() {
            let folded = c.to_lowercase().fold(word.unwrap_or(0), |hash, c| mix(hash ^ u64::from(c)));
            word = Some(folded);
        }
    }
    words.extend(word);
    words
}

/// Returns whether a character belongs to Han, Kana, Thai, Lao, Khmer or Burmese.
fn is_word_by_itself(c: char) -> bool {
    matches!(u32::from(c), 0x0e00..=0x0eff | 0x1000..=0x109f | 0x1780..=0x17ff | 0x3040..=0x30ff | 0x3400..=0x9fff | 0xf900..=0xfaff | 0x20000..=0x3ffff)
}
