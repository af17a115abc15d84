package dev.substrat.cli.connect;

import dev.substrat.cli.edit.LineDiff;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// A planned change of a client's file.
record FileChange(EntryLocation site, String after) {

  boolean isNone() {
    return after.equals(site.file().text());
  }

  /// Unified diff, with our tokens masked.
  List<String> diff() {
    if (isNone()) {
      return List.of();
    }
    Path path = site.file().path();
    var lines = new ArrayList<String>();
    lines.add("--- " + (site.file().exists() ? path : "/dev/null"));
    lines.add("+++ " + path);
    LineDiff.between(site.file().text(), after)
        .forEach(line -> lines.add(ClientEntry.masked(line)));
    return lines;
  }

  /// Writes the file; returns the backup path if this is the first change.
  Optional<Path> write() {
    return site.file().write(after);
  }
}
