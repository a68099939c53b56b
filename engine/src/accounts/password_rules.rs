//! Rules against passwords that are guessed first: common words, runs of the keyboard, years, repetitions, and the user's name.
//!
//! Lists of leaked passwords hold few of 12 characters and more that are not put together from such pieces. The rules cover them
//! without a list of their size.

/// Words that common passwords are made of; without case, and with digits in place of letters.
const WORDS: &str = "access account admin administrator analyst angel apple autosint autumn baby bailey banana baseball basketball \
    batman buster butterfly change changeme charlie cheese chelsea chocolate computer cookie correcthorsebatterystaple daniel \
    default donald dragon family flower football forever freedom friday friends george ginger guest hannah harley hello hockey \
    hunter iloveyou internet jessica jordan killer letmein login love lovely maggie market master matrix matthew merlin michael \
    michelle mickey monday monkey mustang myspace naruto nicole ninja nothing oracle orange osint pass passphrase passw0rd \
    password pepper please pokemon princess private purple qazwsx qwerty ranger reader root samsung secret security server \
    shadow silver snoopy soccer spring starwars summer sunday sunshine superman superuser sweet system temp temporary test \
    testing the this thomas tigger trustno user usuario welcome whatever william winner winter yellow you";
/// Rows that runs of adjacent keys come from, read in both directions.
const ROWS: [&str; 12] = [
    "01234567890",
    "abcdefghijklmnopqrstuvwxyz",
    "qwertyuiop",
    "asdfghjkl",
    "zxcvbnm",
    "qwertzuiop",
    "yxcvbnm",
    "azertyuiop",
    "qsdfghjklm",
    "1q2w3e4r5t6y7u8i9o0p",
    "1qaz2wsx3edc4rfv5tgb6yhn7ujm",
    "!@#$%^&*()_+",
];
/// Shortest run, repetition or word that counts as one piece.
const MIN_PIECE: usize = 3;
/// Pieces that a password needs at least; a character that is part of no common piece counts as one.
const MIN_PIECES: usize = 6;

/// Returns whether a password is put together from few pieces that everybody tries.
pub(super) fn is_common(password: &str, user_name: &str) -> bool {
    let plain: Vec<char> = password.to_lowercase().chars().collect();
    let letters: Vec<char> = plain.iter().copied().map(letter).collect();
    let name: Vec<char> = user_name.to_lowercase().chars().filter(|c| !c.is_whitespace()).collect();
    let mut pieces: Vec<&[char]> = vec![];
    let mut at = 0;
    while at < plain.len() {
        let rest = &plain[at..];
        let folded = &letters[at..];
        let word = word_length(folded, &name).max(word_length(rest, &name));
        let length = word.max(run_length(rest)).max(year_length(rest)).max(1);
        let piece = if word == length { &folded[..length] } else { &rest[..length] };
        // The same piece again adds nothing.
        if !pieces.contains(&piece) {
            pieces.push(piece);
        }
        at += length;
    }
    pieces.len() < MIN_PIECES
}

/// Returns the letter that a digit or sign often replaces.
const fn letter(c: char) -> char {
    match c {
        '0' => 'o',
        '1' | '!' => 'i',
        '3' => 'e',
        '4' | '@' => 'a',
        '5' | '$' => 's',
        '7' => 't',
        other => other,
    }
}

/// Length of the longest common word, or of the user's name, at the start.
fn word_length(text: &[char], name: &[char]) -> usize {
    let fits = |word: &[char]| word.len() >= MIN_PIECE && text.starts_with(word);
    let word = WORDS.split_whitespace().map(|word| word.chars().collect::<Vec<_>>()).filter(|word| fits(word));
    word.map(|word| word.len()).chain(fits(name).then_some(name.len())).max().unwrap_or(0)
}

/// Length of a run of adjacent keys, or of one character repeated, at the start.
fn run_length(text: &[char]) -> usize {
    let same = text.iter().take_while(|c| **c == text[0]).count();
    let along = |row: Vec<char>| {
        let from = row.iter().position(|c| *c == text[0])?;
        Some(row[from..].iter().zip(text).take_while(|(key, c)| key == c).count())
    };
    let rows = ROWS.iter().flat_map(|row| [row.chars().collect::<Vec<_>>(), row.chars().rev().collect()]);
    let longest = rows.filter_map(along).max().unwrap_or(0).max(same);
    if longest < MIN_PIECE { 0 } else { longest }
}

/// Length of a year at the start.
fn year_length(text: &[char]) -> usize {
    let year: String = text.iter().take(4).collect();
    let is_year =
        year.len() == 4 && year.chars().all(|c| c.is_ascii_digit()) && (year.starts_with("19") || year.starts_with("20"));
    if is_year { 4 } else { 0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn predictable_passwords_are_common() {
        for password in [
            "aaaaaaaaaaaa",
            "123456789012",
            "abcabcabcabc",
            "qwertyuiop12",
            "1q2w3e4r5t6y",
            "password1234",
            "passwordpassword",
            "P@ssw0rd2031!",
            "Summer2031!!!!",
            "iloveyou1234",
            "administrator",
            "letmeinletmein",
            "Welcome123456",
            "trustno1trustno1",
            "qwerty987654321",
            "asdfghjkl;12",
            "adalovelace12",
            "changeme2030",
            "121212121212",
        ] {
            assert!(is_common(password, "Ada Lovelace"), "{password}");
        }
    }

    #[test]
    fn a_password_of_several_own_words_is_accepted() {
        for password in [
            "correct horse battery",
            "a lantern by the lock",
            "another password",
            "a password for the benchmark",
            "k7Rw-92xm-Tq4z",
            "grüne Tinte auf Glas",
            "ölig schnell wach",
            "hafenmeisterei nachts",
        ] {
            assert!(!is_common(password, "ada"), "{password}");
        }
    }
}
