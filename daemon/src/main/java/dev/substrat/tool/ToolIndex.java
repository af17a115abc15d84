package dev.substrat.tool;

import dev.substrat.protocol.ErrorCode;
import dev.substrat.team.Agent;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/// Tools by name, in a stable order. An agent with unchanged tools gets the same instance, so that
/// callers can cache what they derive from it; the same holds for the lists of [#listedFor].
///
/// Safe for use by several threads.
final class ToolIndex {
  private final SortedMap<String, Tool> byName;
  private final List<Tool> tools;
  private final List<Tool> listed;
  private final Map<Set<String>, List<Tool>> without = new ConcurrentHashMap<>();

  private ToolIndex(SortedMap<String, Tool> byName, Set<String> unlisted) {
    this.byName = Collections.unmodifiableSortedMap(byName);
    this.tools = List.copyOf(byName.values());
    this.listed = unlisted.isEmpty() ? tools : without(tools, unlisted);
  }

  /// All of them can be called; those named in `unlisted` are never listed.
  static ToolIndex of(SortedMap<String, Tool> byName, Set<String> unlisted) {
    return new ToolIndex(byName, unlisted);
  }

  /// The same tools and others, which are listed; existing names stay.
  ToolIndex and(List<Tool> others) {
    var all = new TreeMap<>(byName);
    others.forEach(tool -> all.putIfAbsent(tool.name(), tool));
    var unlisted = new HashSet<>(byName.keySet());
    listed.forEach(tool -> unlisted.remove(tool.name()));
    return new ToolIndex(all, unlisted);
  }

  SortedMap<String, Tool> byName() {
    return byName;
  }

  List<Tool> tools() {
    return tools;
  }

  /// The tools listed for this agent; see [Tool#isListedFor].
  List<Tool> listedFor(Agent agent) {
    Set<String> hidden =
        listed.stream()
            .filter(tool -> !tool.isListedFor(agent))
            .map(Tool::name)
            .collect(Collectors.toUnmodifiableSet());
    return hidden.isEmpty()
        ? listed
        : without.computeIfAbsent(hidden, names -> without(listed, names));
  }

  private static List<Tool> without(List<Tool> tools, Set<String> names) {
    return tools.stream().filter(tool -> !names.contains(tool.name())).toList();
  }

  /// The tool of that name; the fault lists the existing names and the reason why it is missing
  /// (`lacking`).
  Tool require(String name, Supplier<String> lacking) {
    Tool tool = byName.get(name);
    if (tool == null) {
      String own =
          listed.isEmpty()
              ? "you have no tools"
              : "your tools: " + String.join(", ", listed.stream().map(Tool::name).toList());
      String more = lacking.get();
      throw ErrorCode.UNKNOWN_TOOL.fault(
          "you have no tool " + name, more.isEmpty() ? own : more + "; " + own);
    }
    return tool;
  }
}
