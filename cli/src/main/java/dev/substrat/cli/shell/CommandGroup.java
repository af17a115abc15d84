package dev.substrat.cli.shell;

import java.util.Map;

/// A command whose verbs are too much for one class: each of these is one of its own.
public interface CommandGroup {
  Map<String, Object> branches();
}
