//! Structs of settings, whose defaults stand beside their fields.

/// Declares a struct with the default of each field, and gives it `Default`.
#[macro_export]
macro_rules! settings {
    ($(#[$meta:meta])* pub struct $name:ident { $($(#[$attribute:meta])* pub $field:ident: $type:ty = $default:expr,)+ }) => {
        $(#[$meta])*
        pub struct $name {
            $($(#[$attribute])* pub $field: $type,)+
        }

        impl Default for $name {
            fn default() -> Self {
                Self { $($field: $default,)+ }
            }
        }
    };
}
