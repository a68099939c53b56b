//! Examples and exit codes at the end of every `--help`.

use super::Exit;

/// Formats the end of a help text. Examples are commands without `autosint`.
pub(super) fn with_examples(examples: &[&str]) -> String {
    let title = if examples.len() == 1 { "Example" } else { "Examples" };
    let lines: String = examples.iter().map(|example| format!("  autosint {example}\n")).collect();
    format!("{title}:\n{lines}\n{}", Exit::help())
}

#[cfg(test)]
mod tests {
    use super::super::Cli;
    use clap::{Command, CommandFactory};

    /// Visits every public command with its full name.
    fn visit(command: &Command, path: &str, check: &mut impl FnMut(&Command, &str)) {
        check(command, path);
        for inner in command.get_subcommands().filter(|inner| !inner.is_hide_set() && inner.get_name() != "help") {
            visit(inner, &format!("{path} {}", inner.get_name()), check);
        }
    }

    #[test]
    fn every_command_describes_its_arguments_and_shows_an_example_and_the_exit_codes() {
        let mut cli = Cli::command();
        cli.build();
        visit(&cli, "autosint", &mut |command, path| {
            for argument in command.get_arguments() {
                assert!(argument.get_help().is_some(), "{path}: {} is not described", argument.get_id());
            }
            let after = command.get_after_help().map(ToString::to_string).unwrap_or_default();
            assert!(after.starts_with("Example") && after.contains(path) && after.contains("Exit codes:"), "{path}: {after}");
        });
    }

    #[test]
    fn the_guide_names_every_command_and_option_that_all_have() {
        let guide = include_str!("../../../docs/cli.md");
        let mut cli = Cli::command();
        cli.build();
        visit(&cli, "autosint", &mut |_, path| assert!(guide.contains(path), "docs/cli.md lacks `{path}`"));
        for argument in cli.get_arguments().filter_map(|argument| argument.get_long()) {
            assert!(["help", "version"].contains(&argument) || guide.contains(&format!("--{argument}")), "--{argument}");
        }
    }
}
