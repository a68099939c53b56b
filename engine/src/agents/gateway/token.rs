//! Proof that a call goes through the gateway.
//!
//! Invariant: only modules of the gateway create a `GatewayToken`, so calls that bypass it do not compile.

/// Proof that a call goes through the gateway.
pub struct GatewayToken(pub(super) ());
