package dev.substrat.cli.connect;

import java.nio.file.Path;
import java.util.Optional;

/// A change and what became of it: made, or only thought of.
record ChangeResult(FileChange change, boolean isWritten, Optional<Path> backup) {

  static ChangeResult planned(FileChange change) {
    return new ChangeResult(change, false, Optional.empty());
  }

  static ChangeResult written(FileChange change) {
    return new ChangeResult(change, true, change.write());
  }

  EntryLocation site() {
    return change.site();
  }

  /// A token that stood in the file and no longer does. It still works.
  Optional<String> leftOver() {
    return site()
        .tie()
        .flatMap(ClientEntry::token)
        .filter(token -> !change.after().contains(token));
  }
}
