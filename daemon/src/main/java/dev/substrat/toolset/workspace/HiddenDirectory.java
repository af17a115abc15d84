package dev.substrat.toolset.workspace;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Optional;

/// A folder that is in nobody's room, even where it lies inside one: the daemon's own.
///
/// It is known by what it is and not by its name, so no link and no other spelling leads there.
record HiddenDirectory(Optional<Object> key) {
  static final HiddenDirectory NOTHING = new HiddenDirectory(Optional.empty());

  static HiddenDirectory folder(Path folder) throws IOException {
    return new HiddenDirectory(
        Optional.ofNullable(Files.readAttributes(folder, BasicFileAttributes.class).fileKey()));
  }

  boolean is(BasicFileAttributes found) {
    return found.isDirectory() && key.isPresent() && key.get().equals(found.fileKey());
  }
}
