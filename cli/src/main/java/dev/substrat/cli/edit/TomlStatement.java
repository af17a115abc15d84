package dev.substrat.cli.edit;

import java.util.List;

/// A table's heading or an assignment, with the whole of its lines: what it is about, counted from
/// the root, and where it stands.
record TomlStatement(List<String> path, boolean isHeading, int start, int end) {

  boolean isWithin(List<String> outer) {
    return path.size() >= outer.size() && path.subList(0, outer.size()).equals(outer);
  }
}
