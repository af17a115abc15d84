package dev.substrat.cli.terminal;

import java.util.Map;

/// A command with subcommands in separate classes.
public interface CommandGroup {
  Map<String, Object> branches();
}
