//! The `autosint` binary. All code is in the library, so that tests start the same program.

use std::process::ExitCode;

fn main() -> ExitCode {
    // A parser child is the same binary; it must not read configuration, open files or start threads first.
    if std::env::args_os().nth(1).is_some_and(|command| command == "parse-child") {
        return fetch::parse_child_main();
    }
    server::cli::main()
}
