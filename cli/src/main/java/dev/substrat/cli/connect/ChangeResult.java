package dev.substrat.cli.connect;

import java.nio.file.Path;
import java.util.Optional;

/// Result of a file change: written or only planned.
record ChangeResult(FileChange change, boolean isWritten, Optional<Path> backup) {

  static ChangeResult planned(FileChange change) {
    return new ChangeResult(change, false, Optional.empty());
  }

  static ChangeResult written(FileChange change) {
    return new ChangeResult(change, true, change.write());
  }

  EntryLocation location() {
    return change.location();
  }

  /// A token that the change removed from the file. It is still valid.
  Optional<String> removedToken() {
    return location()
        .existingEntry()
        .flatMap(ClientEntry::token)
        .filter(token -> !change.after().contains(token));
  }
}
