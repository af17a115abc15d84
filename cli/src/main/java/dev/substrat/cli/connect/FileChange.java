package dev.substrat.cli.connect;

import dev.substrat.cli.configedit.LineDiff;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// A planned change of a client's file.
record FileChange(EntryLocation location, String after) {

  boolean isEmpty() {
    return after.equals(location.file().text());
  }

  /// Unified diff, with our tokens masked.
  List<String> diff() {
    if (isEmpty()) {
      return List.of();
    }
    Path path = location.file().path();
    var lines = new ArrayList<String>();
    lines.add("--- " + (location.file().exists() ? path : "/dev/null"));
    lines.add("+++ " + path);
    LineDiff.between(location.file().text(), after)
        .forEach(line -> lines.add(ClientConfigEntry.masked(line)));
    return lines;
  }

  /// Writes the file; returns the backup path if this is the first change.
  Optional<Path> write() {
    return location.file().write(after);
  }
}
