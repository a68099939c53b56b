//! Enums whose variants are the keys of lists in a file of the configuration.

/// An enum with the key of each variant, in order.
macro_rules! keyed {
    ($(#[$attribute:meta])* $type:ident { $($(#[$about:meta])* $name:ident = $key:literal),* $(,)? }) => {
        $(#[$attribute])*
        pub enum $type { $($(#[$about])* $name),* }

        impl $type {
            /// Every variant with the key of its list.
            pub const ALL: &'static [($type, &'static str)] = &[$(($type::$name, $key)),*];
        }
    };
}

pub(crate) use keyed;
