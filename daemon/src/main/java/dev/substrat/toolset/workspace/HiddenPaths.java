package dev.substrat.toolset.workspace;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Collection;
import java.util.HashSet;
import java.util.Set;

/// Directories and files of the daemon that no workspace contains, even if they are inside one.
///
/// They are recognised by their file keys and not by their names, so no link and no other spelling
/// leads to them.
record HiddenPaths(Set<Object> keys) {
  static final HiddenPaths NOTHING = new HiddenPaths(Set.of());

  static HiddenPaths of(Collection<Path> paths) throws IOException {
    var keys = new HashSet<Object>();
    for (Path path : paths) {
      if (Files.exists(path)) {
        Object key = Files.readAttributes(path, BasicFileAttributes.class).fileKey();
        if (key != null) {
          keys.add(key);
        }
      }
    }
    return new HiddenPaths(keys);
  }

  boolean is(BasicFileAttributes found) {
    return found.fileKey() != null && keys.contains(found.fileKey());
  }
}
