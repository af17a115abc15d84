package dev.substrat.cli.connect;

import java.nio.file.Path;
import java.util.Optional;

/// A change and what became of it: made, or only thought of.
record Outcome(Change change, boolean isWritten, Optional<Path> backup) {

  static Outcome planned(Change change) {
    return new Outcome(change, false, Optional.empty());
  }

  static Outcome written(Change change) {
    return new Outcome(change, true, change.write());
  }

  Site site() {
    return change.site();
  }

  /// A token that stood in the file and no longer does. It still works.
  Optional<String> leftOver() {
    return site().tie().flatMap(Tie::token).filter(token -> !change.after().contains(token));
  }
}
