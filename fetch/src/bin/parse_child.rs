//! Parser child as its own program, so that pool tests do not need `autosint`.

use std::process::ExitCode;

fn main() -> ExitCode {
    fetch::parse_child_main()
}
