//! Structs of settings, whose defaults stand beside their fields.

/// Declares structs with the default of each field, which a configuration that leaves it out gets. Unknown keys are errors.
#[macro_export]
macro_rules! settings {
    ($($(#[$meta:meta])* pub struct $name:ident { $($(#[$attribute:meta])* pub $field:ident: $type:ty = $default:expr,)+ })+) => {$(
        $(#[$meta])*
        #[serde(default, deny_unknown_fields)]
        pub struct $name {
            $($(#[$attribute])* pub $field: $type,)+
        }

        impl Default for $name {
            fn default() -> Self {
                Self { $($field: $default,)+ }
            }
        }
    )+};
}
