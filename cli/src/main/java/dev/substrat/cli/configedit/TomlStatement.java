package dev.substrat.cli.configedit;

import java.util.List;

/// A table heading or an assignment: its path from the root and its range of whole lines.
record TomlStatement(List<String> path, boolean isHeading, int start, int end) {

  boolean isWithin(List<String> outer) {
    return path.size() >= outer.size() && path.subList(0, outer.size()).equals(outer);
  }
}
