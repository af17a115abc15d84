package dev.substrat.toolset.workspace;

import dev.substrat.protocol.ErrorCode;
import dev.substrat.protocol.Fault;
import java.nio.charset.StandardCharsets;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// A relative path from untrusted input: names only, without `..`. Symbolic links are checked when
/// the path is opened, by [ConfinedDirectory].
public record SafePath(List<String> names) {
  /// The directory itself.
  public static final SafePath ROOT = new SafePath(List.of());

  private static final String GITS = ".git";
  private static final int MAX_LENGTH = 4_000;
  private static final int MAX_NAME_LENGTH = 255;

  public SafePath {
    names = List.copyOf(names);
  }

  /// An empty text and `.` are the directory itself. `pointer` names the field in an error.
  public static SafePath parse(String pointer, String text) {
    if (text.length() > MAX_LENGTH) {
      throw blocked(pointer, "is longer than " + MAX_LENGTH + " characters");
    }
    if (text.startsWith("/")) {
      throw blocked(pointer, "must be relative to your workspace");
    }
    var names = new ArrayList<String>();
    for (String name : text.split("/", -1)) {
      if (name.isEmpty() || name.equals(".")) {
        continue;
      }
      requireName(pointer, name);
      names.add(name);
    }
    return new SafePath(names);
  }

  /// A subdirectory for an agent to work in.
  static SafePath parsePart(String pointer, String text) {
    SafePath part = parse(pointer, text);
    if (part.names.stream().anyMatch(SafePath::isGits)) {
      throw blocked(pointer, "is inside .git");
    }
    return part;
  }

  /// Whether the name is git's own. Some file systems are case-insensitive.
  static boolean isGits(String name) {
    return name.equalsIgnoreCase(GITS);
  }

  private static void requireName(String pointer, String name) {
    if (name.equals("..")) {
      throw blocked(pointer, "must not contain ..");
    }
    if (name.chars().anyMatch(c -> c < ' ' || c == '\\' || c == 0x7f)) {
      throw blocked(pointer, "contains a backslash or a control character");
    }
    if (name.getBytes(StandardCharsets.UTF_8).length > MAX_NAME_LENGTH) {
      throw blocked(pointer, "has a name longer than " + MAX_NAME_LENGTH + " bytes");
    }
    try {
      if (Path.of(name).getNameCount() != 1) {
        throw blocked(pointer, "contains an invalid name");
      }
    } catch (InvalidPathException e) {
      throw blocked(pointer, "contains a name that this file system does not support");
    }
  }

  boolean isRoot() {
    return names.isEmpty();
  }

  /// The parent directory.
  SafePath parent() {
    return new SafePath(names.subList(0, names.size() - 1));
  }

  String last() {
    return names.getLast();
  }

  SafePath resolve(String name) {
    var longer = new ArrayList<>(names);
    longer.add(name);
    return new SafePath(longer);
  }

  SafePath resolve(SafePath more) {
    var longer = new ArrayList<>(names);
    longer.addAll(more.names);
    return new SafePath(longer);
  }

  Path below(Path folder) {
    Path path = folder;
    for (String name : names) {
      path = path.resolve(name);
    }
    return path;
  }

  /// For people and agents; the directory itself is `.`.
  @Override
  public String toString() {
    return names.isEmpty() ? "." : String.join("/", names);
  }

  private static Fault blocked(String pointer, String what) {
    return ErrorCode.PATH_BLOCKED.fault(
        pointer + " " + what, "use a path inside your workspace, such as \"src/main.py\"");
  }
}
