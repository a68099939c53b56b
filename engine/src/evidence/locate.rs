//! Quote location in linear time: exact, else with white space, quotation marks and hyphens folded.

use domain::claim::Span;

/// Returns the first span of `quote` in `text`, in bytes. None for an empty or missing quote.
pub fn locate(text: &str, quote: &str) -> Option<Span> {
    let quote = quote.trim();
    if quote.is_empty() {
        return None;
    }
    if let Some(start) = text.find(quote) {
        return Some(Span { start: start as u64, end: (start + quote.len()) as u64 });
    }
    let wanted: Vec<char> = fold(quote).into_iter().map(|folded| folded.letter).collect();
    let wanted = trim(&wanted);
    let folded = fold(text);
    let at = find(&folded, wanted)?;
    let last = folded[at + wanted.len() - 1];
    Some(Span { start: folded[at].start as u64, end: last.end as u64 })
}

/// Letter of the folded text, with its original bytes.
#[derive(Clone, Copy)]
struct FoldedLetter {
    letter: char,
    start: usize,
    end: usize,
}

/// Folds white space and marks. Hyphens inside words are removed, with a following line break: a hyphenated line end looks the
/// same as a hyphenated word.
fn fold(text: &str) -> Vec<FoldedLetter> {
    let mut folded: Vec<FoldedLetter> = Vec::with_capacity(text.len());
    for (start, letter) in text.char_indices() {
        let Some(letter) = plain(letter) else { continue };
        let next = FoldedLetter { letter, start, end: start + text[start..].chars().next().map_or(1, char::len_utf8) };
        match folded.as_slice() {
            [.., last] if letter == ' ' && matches!(last.letter, ' ' | '-') => {}
            [.., before, last] if last.letter == '-' && before.letter.is_alphabetic() && letter.is_alphabetic() => {
                folded.pop();
                folded.push(next);
            }
            _ => folded.push(next),
        }
    }
    folded
}

/// Returns the plain form of a letter for comparison; none when it is ignored.
fn plain(letter: char) -> Option<char> {
    Some(match letter {
        '\u{200b}'..='\u{200f}' | '\u{2060}' | '\u{feff}' => return None,
        '\u{2018}'..='\u{201f}'
        | '\u{2039}'
        | '\u{203a}'
        | '\u{ab}'
        | '\u{bb}'
        | '"'
        | '\''
        | '`'
        | '\u{b4}'
        | '\u{2032}'
        | '\u{2033}' => '\'',
        '-' | '\u{ad}' | '\u{2010}'..='\u{2015}' | '\u{2212}' | '\u{fe58}' | '\u{fe63}' | '\u{ff0d}' => '-',
        _ if letter.is_whitespace() => ' ',
        _ => letter,
    })
}

fn trim(letters: &[char]) -> &[char] {
    let start = letters.iter().position(|letter| *letter != ' ').unwrap_or(letters.len());
    let end = letters.iter().rposition(|letter| *letter != ' ').map_or(start, |last| last + 1);
    &letters[start..end]
}

/// Searches by Knuth, Morris and Pratt.
fn find(text: &[FoldedLetter], wanted: &[char]) -> Option<usize> {
    if wanted.is_empty() {
        return None;
    }
    let mut borders = vec![0; wanted.len()];
    let mut length = 0;
    for i in 1..wanted.len() {
        while length > 0 && wanted[i] != wanted[length] {
            length = borders[length - 1];
        }
        length += usize::from(wanted[i] == wanted[length]);
        borders[i] = length;
    }
    let mut matched = 0;
    for (i, folded) in text.iter().enumerate() {
        while matched > 0 && folded.letter != wanted[matched] {
            matched = borders[matched - 1];
        }
        matched += usize::from(folded.letter == wanted[matched]);
        if matched == wanted.len() {
            return Some(i + 1 - matched);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn found_text<'a>(text: &'a str, quote: &str) -> Option<&'a str> {
        locate(text, quote).map(|span| span.slice(text).unwrap())
    }

    #[test]
    fn an_exact_quote_is_found_at_its_first_place() {
        assert_eq!(locate("one two one two", "two"), Some(Span { start: 4, end: 7 }));
    }

    #[test]
    fn white_space_marks_and_hyphens_may_differ() {
        let text = "He said: \u{201c}The harbour\n  was\u{a0}closed\u{201d} \u{2014} and self-\nmade co\u{ad}oper-\nation isn\u{2019}t.";
        assert_eq!(found_text(text, "\"The harbour was closed\""), Some("\u{201c}The harbour\n  was\u{a0}closed\u{201d}"));
        assert_eq!(found_text(text, "- and self-made"), Some("\u{2014} and self-\nmade"));
        assert_eq!(found_text(text, "selfmade cooperation isn't."), Some("self-\nmade co\u{ad}oper-\nation isn\u{2019}t."));
    }

    #[test]
    fn an_absent_quote_is_not_found() {
        assert_eq!(locate("a text", "a test"), None);
        assert_eq!(locate("a text", "  \n"), None);
        assert_eq!(locate("", "a"), None);
        assert_eq!(locate("a b", "\u{200b}"), None);
    }

    #[test]
    fn repetitive_text_is_searched_in_linear_time() {
        let text = "a ".repeat(200_000);
        let quote = format!("{}\nb", "a\n".repeat(50_000));
        assert_eq!(locate(&text, &quote), None);
    }

    proptest! {
        #[test]
        fn every_slice_is_found_and_spans_are_sound(text in "[a-c \\-\u{ad}\u{201c}\"\n\u{e9}]{0,60}", from in 0usize..60, length in 1usize..20) {
            let letters: Vec<char> = text.chars().collect();
            let quote: String = letters.iter().skip(from).take(length).collect();
            if let Some(span) = locate(&text, &quote) {
                prop_assert!(span.slice(&text).is_some());
            } else {
                prop_assert!(quote.trim().is_empty());
            }
        }
    }
}
