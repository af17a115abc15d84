package dev.substrat.tool;

import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/// Tools by name, in an order that never changes. As long as an agent has the same tools it has the
/// same kit, so that whoever makes something of the list can keep it.
record Kit(SortedMap<String, Tool> byName, List<Tool> tools) {

  static Kit of(TreeMap<String, Tool> byName) {
    return new Kit(Collections.unmodifiableSortedMap(byName), List.copyOf(byName.values()));
  }
}
