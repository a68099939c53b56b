//! The steps of the queue as atomic scripts, each beginning with `begin.lua`.

pub(super) use redis::Script;
use std::sync::LazyLock;

macro_rules! scripts {
    ($($name:ident = $file:literal, $what:literal;)+) => {$(
        #[doc = $what]
        pub(super) static $name: LazyLock<Script> =
            LazyLock::new(|| Script::new(concat!(include_str!("begin.lua"), include_str!($file))));
    )+};
}

scripts! {
    PUSH = "push.lua", "Puts an order in, unless it is there.";
    TAKE = "take.lua", "Gives the next order to a worker, with its first heartbeat.";
    BEAT = "beat.lua", "Extends a heartbeat.";
    ACKNOWLEDGE = "acknowledge.lua", "Takes an order out that its worker is done with.";
    REMOVE = "remove.lua", "Takes an order out that nobody holds.";
    FORGET = "forget.lua", "Ends every heartbeat.";
    DEPTH = "depth.lua", "Counts what waits.";
}

/// Rebuilds an incomplete queue.
pub(super) static REBUILD: LazyLock<Script> = LazyLock::new(|| Script::new(include_str!("rebuild.lua")));
