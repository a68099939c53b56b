//! The parser child alone, so that tests of the pool need no `autosint`.

use std::process::ExitCode;

fn main() -> ExitCode {
    fetch::parse_child_main()
}
