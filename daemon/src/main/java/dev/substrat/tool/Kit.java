package dev.substrat.tool;

import dev.substrat.fault.Fault;
import dev.substrat.protocol.ErrorCode;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Supplier;

/// Tools by name, in an order that never changes. As long as an agent has the same tools it has the
/// same kit, so that whoever makes something of the list can keep it.
record Kit(SortedMap<String, Tool> byName, List<Tool> tools) {

  static Kit of(TreeMap<String, Tool> byName) {
    return new Kit(Collections.unmodifiableSortedMap(byName), List.copyOf(byName.values()));
  }

  /// The tool of that name; the fault says which there are, and what is known of it (`lacking`).
  Tool require(String name, Supplier<String> lacking) {
    Tool tool = byName.get(name);
    if (tool == null) {
      String own =
          byName.isEmpty()
              ? "you have no tools"
              : "your tools: " + String.join(", ", byName.keySet());
      String more = lacking.get();
      throw new Fault(
          ErrorCode.UNKNOWN_TOOL,
          "you have no tool " + name,
          more.isEmpty() ? own : more + "; " + own);
    }
    return tool;
  }
}
