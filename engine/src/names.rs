//! Placeholder until the string stage lands.
