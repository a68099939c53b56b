//! Rules of user names: what is shown is what was typed.

/// Maximum length of a user name, in characters.
pub(super) const MAX_NAME_CHARS: usize = 64;

/// Returns whether a name has 1 to 64 visible characters, without spaces at either end.
pub(super) fn is_valid(name: &str) -> bool {
    let chars = name.chars().count();
    name.trim() == name && (1..=MAX_NAME_CHARS).contains(&chars) && !name.chars().any(is_unfit)
}

/// Returns whether a character is a control, is invisible, or changes the direction of text: such a name could pose as another.
fn is_unfit(c: char) -> bool {
    c.is_control()
        || (c.is_whitespace() && c != ' ')
        || matches!(
            c,
            '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{180b}'..='\u{180f}' | '\u{200b}'..='\u{200f}'
                | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{3164}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}'
                | '\u{ffa0}' | '\u{fff0}'..='\u{fffb}' | '\u{e0000}'..='\u{e0fff}'
        )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_user_name_has_only_visible_characters() {
        for name in ["ada", "Ada Lovelace", "ана", "علي", "李", "o'neil-2", &"a".repeat(64)] {
            assert!(is_valid(name), "{name}");
        }
        let reversed = "a\u{202e}nimda";
        let isolated = "\u{2067}ada\u{2069}";
        for name in
            ["", " ada", "ada ", "a\tb", "a\u{a0}b", "a\u{200b}b", "ada\u{200f}", "ada\u{feff}", "a\u{ad}da", "a\u{e0041}"]
        {
            assert!(!is_valid(name), "{name:?}");
        }
        assert!(!is_valid(reversed) && !is_valid(isolated) && !is_valid(&"a".repeat(65)));
    }
}
