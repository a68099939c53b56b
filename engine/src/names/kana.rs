//! Japanese syllables that spell a foreign name: "バラク・オバマ" is "Barack Obama".

use super::sound::spelling;

/// Minimum number of syllables; shorter words spell many.
const SYLLABLES: usize = 3;

/// Returns whether the original letters are katakana, which spell sounds, unlike Chinese characters.
pub fn is_katakana(native: &str) -> bool {
    native.chars().count() >= SYLLABLES && native.chars().all(|c| matches!(c, '\u{30a0}'..='\u{30ff}'))
}

/// Returns whether transliterated syllables spell a word. They add vowels after consonants; l is r, and v is b.
pub fn spells(syllables: &str, word: &str) -> bool {
    let (syllables, word) = (sounds(syllables), sounds(word));
    let mut expected = word.iter().peekable();
    let mut is_after_consonant = false;
    for letter in &syllables {
        let is_added = is_after_consonant && matches!(letter, 'u' | 'o' | 'i');
        if expected.next_if_eq(&letter).is_none() && !is_added {
            return false;
        }
        is_after_consonant = !matches!(letter, 'a' | 'e' | 'i' | 'o' | 'u');
    }
    expected.next().is_none()
}

fn sounds(word: &str) -> Vec<char> {
    let letters: Vec<char> = spelling(word).chars().collect();
    let sound = |(i, &letter): (usize, &char)| match (letter, letters.get(i + 1).copied()) {
        ('l', _) => 'r',
        ('v', _) => 'b',
        ('c', next) if next != Some('h') => 'k',
        ('m', Some('p' | 'b')) => 'n',
        _ => letter,
    };
    letters.iter().enumerate().map(sound).collect()
}
