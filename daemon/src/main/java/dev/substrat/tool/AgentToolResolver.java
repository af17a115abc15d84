package dev.substrat.tool;

import com.fasterxml.jackson.databind.JsonNode;
import dev.substrat.platform.identity.AgentId;
import dev.substrat.platform.json.Json;
import dev.substrat.platform.json.JsonSchema;
import dev.substrat.team.Agent;
import dev.substrat.team.AgentConfig;
import dev.substrat.team.toolconfig.CustomToolConfig;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// Resolves the tools of an agent: those of its toolsets, and its own.
///
/// Each combination of toolsets is built once. An agent's own tools are added again only if they
/// have changed.
final class AgentToolResolver {
  /// More than the number of active agents with tools of their own.
  private static final int MAX_ENTRIES = 1_000;

  static final String CHECK_INBOX = "check_inbox";

  private final List<Toolset> toolsets;
  private final Map<Set<String>, ToolIndex> kits = new ConcurrentHashMap<>();
  private final Map<Set<String>, ToolIndex> externalKits = new ConcurrentHashMap<>();
  private final List<ToolSource> sources;
  private final Set<String> builtIn;
  private final Map<AgentId, OwnTools> own = new ConcurrentHashMap<>();

  AgentToolResolver(List<Toolset> toolsets, List<ToolSource> sources) {
    this.toolsets = List.copyOf(toolsets);
    this.sources = List.copyOf(sources);
    this.builtIn =
        Stream.concat(
                toolsets.stream().flatMap(set -> set.all().stream()).map(Tool::name),
                Stream.of(DeferredToolLoading.NAME))
            .collect(Collectors.toUnmodifiableSet());
  }

  /// A tool index with an agent's own tools added.
  private record OwnTools(ToolIndex base, List<List<Tool>> added, ToolIndex kit) {
    /// A changed list is another object; equality would compare all tools.
    @SuppressWarnings("ReferenceEquality")
    boolean isOf(ToolIndex otherBase, List<List<Tool>> others) {
      boolean same = base == otherBase && added.size() == others.size();
      for (int i = 0; same && i < added.size(); i++) {
        same = added.get(i) == others.get(i);
      }
      return same;
    }
  }

  ToolIndex of(Agent agent) {
    Set<String> names = Set.copyOf(agent.config().toolsetsOrDefault());
    ToolIndex base =
        agent.isExternal() ? externalKits.computeIfAbsent(names, this::external) : of(names);
    return sources.isEmpty() ? base : withOwn(agent, base);
  }

  /// Built-in tools first, then those of each source: a later tool cannot use an existing name, not
  /// even that of a built-in tool that this agent does not have.
  private ToolIndex withOwn(Agent agent, ToolIndex base) {
    var added = new ArrayList<List<Tool>>();
    for (ToolSource source : sources) {
      List<Tool> tools = source.of(agent, taken(added));
      if (!tools.isEmpty()) {
        added.add(tools);
      }
    }
    if (added.isEmpty()) {
      return base;
    }
    OwnTools known = own.get(agent.id());
    if (known != null && known.isOf(base, added)) {
      return known.kit();
    }
    ToolIndex kit = base.and(added.stream().flatMap(List::stream).toList());
    if (own.size() >= MAX_ENTRIES) {
      own.clear();
    }
    own.put(agent.id(), new OwnTools(base, added, kit));
    return kit;
  }

  private Set<String> taken(List<List<Tool>> added) {
    if (added.isEmpty()) {
      return builtIn;
    }
    var all = new HashSet<>(builtIn);
    added.forEach(tools -> tools.forEach(tool -> all.add(tool.name())));
    return all;
  }

  /// The same, once it is known; see [ToolSource#settle].
  ToolIndex settled(Agent agent) {
    sources.forEach(source -> source.settle(agent));
    return of(agent);
  }

  /// Tools of a configuration by name, for internal and external agents, with their input schemas.
  /// Remote tools are not included, because only their servers know them.
  SortedMap<String, JsonSchema> inputs(AgentConfig config) {
    var inputs = new TreeMap<String, JsonSchema>();
    config.toolsOrNone().forEach(tool -> inputs.put(tool.name(), input(config, tool)));
    of(Set.copyOf(config.toolsetsOrDefault()))
        .byName()
        .forEach((name, tool) -> inputs.put(name, tool.input()));
    if (config.defersTools()) {
      inputs.put(
          DeferredToolLoading.NAME, JsonSchema.ofRecord(DeferredToolLoading.FindToolsInput.class));
    }
    return inputs;
  }

  /// Arguments that middleware will repair cannot be checked here.
  private static JsonSchema input(AgentConfig config, CustomToolConfig tool) {
    JsonNode schema = tool.inputSchema() == null ? Json.object() : tool.inputSchema();
    List<JsonNode> around = tool.middleware() == null ? config.middleware() : tool.middleware();
    boolean isRepaired =
        around != null
            && around.stream().anyMatch(one -> one.asText().equals("repair") || one.has("repair"));
    return isRepaired ? JsonSchema.displayOnly(schema) : JsonSchema.of(schema);
  }

  /// See [ToolSource#withheld].
  Optional<ToolSource.UnavailableTool> withheld(Agent agent, String tool) {
    return sources.stream().flatMap(source -> source.withheld(agent, tool).stream()).findFirst();
  }

  /// Why an agent has no tool of that name, if known.
  String missing(Agent agent, String tool) {
    return withheld(agent, tool)
        .map(ToolSource.UnavailableTool::words)
        .orElseGet(() -> lacking(agent));
  }

  /// See [ToolSource#lacking].
  private String lacking(Agent agent) {
    return sources.stream()
        .map(source -> source.unavailableServers(agent))
        .filter(words -> !words.isEmpty())
        .collect(Collectors.joining("; "));
  }

  ToolIndex of(Set<String> names) {
    return kits.computeIfAbsent(names, _ -> put(names, ToolAudience.of(names, false)));
  }

  /// Names of all built-in tools.
  Set<String> builtIn() {
    return builtIn;
  }

  boolean contains(String tool) {
    return builtIn.contains(tool);
  }

  private ToolIndex put(Set<String> names, ToolAudience audience) {
    List<Toolset> own = toolsets.stream().filter(set -> names.contains(set.name())).toList();
    var byName = new TreeMap<String, List<Tool>>();
    own.stream()
        .flatMap(set -> set.all().stream())
        .forEach(tool -> byName.computeIfAbsent(tool.name(), _ -> new ArrayList<>()).add(tool));
    var kit = new TreeMap<String, Tool>();
    byName.forEach((name, tools) -> kit.put(name, AudienceTool.of(one(tools), audience)));
    var unlisted = new HashSet<>(byName.keySet());
    own.forEach(set -> set.tools().forEach(tool -> unlisted.remove(tool.name())));
    return ToolIndex.of(kit, unlisted);
  }

  /// Several toolsets may have the same tool, or variants of it.
  private static Tool one(List<Tool> tools) {
    List<AddressForm> forms =
        tools.stream().filter(AddressForm.class::isInstance).map(AddressForm.class::cast).toList();
    return forms.size() > 1 ? new CombinedAddressTool(forms) : tools.getFirst();
  }

  /// An external agent reads its inbox itself, so it always has the tool for that.
  private ToolIndex external(Set<String> names) {
    ToolAudience audience = ToolAudience.of(names, true);
    return put(names, audience)
        .and(
            toolsets.stream()
                .flatMap(set -> set.tools().stream())
                .filter(isCalled(CHECK_INBOX))
                .map(tool -> AudienceTool.of(tool, audience))
                .toList());
  }

  private static Predicate<Tool> isCalled(String name) {
    return tool -> tool.name().equals(name);
  }

  /// A tool whose texts are written for one [ToolAudience].
  private record AudienceTool(Tool tool, String description, JsonSchema input)
      implements DelegatingTool {

    static Tool of(Tool tool, ToolAudience audience) {
      return ToolAudience.isMarked(tool)
          ? new AudienceTool(
              tool,
              audience.text(tool.description()),
              JsonSchema.of(audience.schema(tool.input().json())))
          : tool;
    }
  }
}
