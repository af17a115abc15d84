package dev.substrat.cli.connect;

import dev.substrat.cli.edit.LineDiff;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// What a client's file will say instead of what it says.
record FileChange(EntryLocation site, String after) {

  boolean isNone() {
    return after.equals(site.file().text());
  }

  /// As `diff -u` shows it, without secrets of ours.
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

  /// Where the file as it was is kept, if this is the first change.
  Optional<Path> write() {
    return site.file().write(after);
  }
}
