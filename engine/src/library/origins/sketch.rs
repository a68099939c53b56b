//! A sketch of a text: the least hashes of its word triples under many orders (MinHash). How many places of two sketches agree
//! estimates how much of the two sets of triples is shared.

/// Hashes of a sketch. The estimate is off by about 4 points in a hundred.
const HASHES: usize = 126;
/// Hashes of a band. Texts that share a band are compared: 94 % of those that share 40 % of their triples, 4 % of those that share 10 %.
const BAND_HASHES: usize = 3;
const BYTES_PER_HASH: usize = 4;
/// Words of a triple.
const WORDS: usize = 3;
/// Fewer triples say nothing: such a text is near to its equals alone.
const MIN_TRIPLES: usize = 8;
/// Words from the start that are looked at, so that no text costs more.
const MAX_WORDS: usize = 20_000;

/// The key of a band: its place and its hashes in one number.
pub type Band = i64;

/// See the module.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sketch(Vec<u32>);

impl Sketch {
    /// Depends on nothing but the words; `None` where there are too few. Upper and lower case, punctuation and line ends are alike.
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

    /// Whether both share at least this percentage of their triples, as far as the sketches tell.
    pub fn is_near(&self, other: &Self, percent: u32) -> bool {
        let alike = self.0.iter().zip(&other.0).filter(|(a, b)| a == b).count();
        alike * 100 >= HASHES * percent as usize
    }

    /// What texts are looked up by.
    pub fn bands(&self) -> impl Iterator<Item = Band> {
        self.0.chunks(BAND_HASHES).enumerate().map(|(place, hashes)| {
            let key = hashes.iter().fold(place as u64, |key, hash| mix(key.rotate_left(17) ^ u64::from(*hash)));
            i64::from_ne_bytes(key.to_ne_bytes())
        })
    }

    /// As it is stored.
    pub fn to_bytes(&self) -> Vec<u8> {
        self.0.iter().flat_map(|hash| hash.to_le_bytes()).collect()
    }

    /// `None` for what is no sketch of this version.
    pub fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let (hashes, rest) = bytes.as_chunks::<BYTES_PER_HASH>();
        (hashes.len() == HASHES && rest.is_empty()).then(|| Self(hashes.iter().map(|hash| u32::from_le_bytes(*hash)).collect()))
    }
}

/// One order of hashes for each place: an odd factor and a shift, from a fixed sequence.
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

/// The finaliser of SplitMix64: near numbers become far ones.
const fn mix(mut value: u64) -> u64 {
    value = value.wrapping_add(0x9e37_79b9_7f4a_7c15);
    value = (value ^ (value >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    value = (value ^ (value >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    value ^ (value >> 31)
}

/// Hashes of the words in order. A character of a script without spaces between words counts as one.
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

/// Han, Kana, Thai, Lao, Khmer and Burmese.
fn is_word_by_itself(c: char) -> bool {
    matches!(u32::from(c), 0x0e00..=0x0eff | 0x1000..=0x109f | 0x1780..=0x17ff | 0x3040..=0x30ff | 0x3400..=0x9fff | 0xf900..=0xfaff | 0x20000..=0x3ffff)
}
