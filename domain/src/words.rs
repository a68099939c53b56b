//! Enums of words, as the store and the API write them.

/// Declares enums with the word of each variant, and gives them `ALL`, `as_str` and `parse`.
#[macro_export]
macro_rules! words {
    ($($(#[$meta:meta])* pub enum $name:ident { $($(#[$attribute:meta])* $variant:ident = $word:literal,)+ })+) => {$(
        $(#[$meta])*
        pub enum $name {
            $($(#[$attribute])* $variant,)+
        }

        impl $name {
            pub const ALL: [Self; [$($word),+].len()] = [$(Self::$variant),+];

            pub const fn as_str(self) -> &'static str {
                match self {
                    $(Self::$variant => $word,)+
                }
            }

            pub fn parse(text: &str) -> Option<Self> {
                Self::ALL.into_iter().find(|one| one.as_str() == text)
            }
        }
    )+};
}
