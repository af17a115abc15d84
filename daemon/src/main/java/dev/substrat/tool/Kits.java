package dev.substrat.tool;

import dev.substrat.team.Agent;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;

/// Which tools belong to which toolsets. What an agent has depends on its toolsets alone, so each
/// combination is put together once.
final class Kits {
  /// Whoever reads its mail itself can always do that.
  private static final String CHECK_INBOX = "check_inbox";

  private final List<Toolset> toolsets;
  private final Map<Set<String>, Map<String, Tool>> kits = new ConcurrentHashMap<>();
  private final Map<Set<String>, Map<String, Tool>> kitsElsewhere = new ConcurrentHashMap<>();

  Kits(List<Toolset> toolsets) {
    this.toolsets = List.copyOf(toolsets);
  }

  /// By name, in an order that never changes.
  Map<String, Tool> of(Agent agent) {
    Set<String> names = Set.copyOf(agent.config().toolsetsOrDefault());
    return agent.isExternal() ? kitsElsewhere.computeIfAbsent(names, this::withInbox) : of(names);
  }

  Map<String, Tool> of(Set<String> names) {
    return kits.computeIfAbsent(names, this::put);
  }

  boolean contains(String tool) {
    return toolsets.stream().anyMatch(set -> set.tools().stream().anyMatch(isCalled(tool)));
  }

  private Map<String, Tool> put(Set<String> names) {
    var byName = new TreeMap<String, List<Tool>>();
    toolsets.stream()
        .filter(set -> names.contains(set.name()))
        .map(Toolset::tools)
        .flatMap(Collection::stream)
        .forEach(tool -> byName.computeIfAbsent(tool.name(), _ -> new ArrayList<>()).add(tool));
    var kit = new TreeMap<String, Tool>();
    byName.forEach((name, tools) -> kit.put(name, one(tools)));
    return kit;
  }

  private static Tool one(List<Tool> tools) {
    return tools.size() == 1
        ? tools.getFirst()
        : new SeveralAddresses(tools.stream().map(AddressForm.class::cast).toList());
  }

  private Map<String, Tool> withInbox(Set<String> names) {
    var kit = new TreeMap<>(of(names));
    toolsets.stream()
        .flatMap(set -> set.tools().stream())
        .filter(isCalled(CHECK_INBOX))
        .forEach(tool -> kit.put(CHECK_INBOX, tool));
    return kit;
  }

  private static Predicate<Tool> isCalled(String name) {
    return tool -> tool.name().equals(name);
  }
}
