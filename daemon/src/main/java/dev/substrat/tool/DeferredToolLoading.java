package dev.substrat.tool;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import com.fasterxml.jackson.databind.JsonNode;
import dev.substrat.platform.identity.AgentId;
import dev.substrat.platform.json.Json;
import dev.substrat.protocol.ErrorCode;
import dev.substrat.store.Database;
import dev.substrat.store.Tx;
import dev.substrat.store.event.EventLog;
import dev.substrat.store.event.NewEvent;
import dev.substrat.team.Agent;
import dev.substrat.team.AgentStateTable;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// The tool `find_tools` of agents with `toolLoading: deferred`, and the list of tools they see.
///
/// Such an agent is shown `find_tools` only, an external agent also `check_inbox`. A call loads the
/// tools that it found: they are listed from then on, also in later turns. Loading decides what is
/// listed and not what is allowed: like every agent, it may call each of its tools by name.
///
/// Safe for use by several threads.
final class DeferredToolLoading implements ToolSource {
  static final String NAME = "find_tools";

  private static final int DEFAULT_LIMIT = 5;
  private static final int MAX_LOADED_AT_ONCE = 20;

  /// The tools loaded last stay listed.
  private static final int MAX_LOADED_TOOLS = 40;

  /// More than the number of active agents with deferred tools.
  private static final int MAX_ENTRIES = 1_000;

  private static final Pattern BETWEEN_WORDS = Pattern.compile("[^\\p{L}\\p{N}]+");

  private final Database database;
  private final EventLog events;
  private final Function<Agent, List<Tool>> available;
  private final List<Tool> own = List.of(tool(List.of()));
  private final Map<AgentId, CachedToolList> lists = new ConcurrentHashMap<>();

  /// `available` lists the tools that an agent would see without deferral.
  DeferredToolLoading(Database database, EventLog events, Function<Agent, List<Tool>> available) {
    this.database = database;
    this.events = events;
    this.available = available;
  }

  /// Input of the tool.
  public record FindToolsInput(
      @JsonPropertyDescription(
              "Names of tools, or words that describe the task, separated by spaces.")
          String query,
      @JsonProperty(defaultValue = "5")
          @JsonPropertyDescription("Maximum number of tools, from 1 to 20.")
          @Nullable Integer limit) {}

  /// The tools that were loaded.
  @JsonInclude(JsonInclude.Include.NON_NULL)
  record LoadedTools(List<LoadedToolDefinition> tools, @Nullable String hint) {}

  /// A tool as the agent may call it.
  record LoadedToolDefinition(String name, String description, JsonNode inputSchema) {}

  /// The list for `all` tools while `loaded` were loaded.
  private record CachedToolList(List<Tool> all, Set<String> loaded, List<Tool> list) {
    /// A changed list is another object.
    @SuppressWarnings("ReferenceEquality")
    boolean isOf(List<Tool> others, Set<String> names) {
      return all == others && loaded.equals(names);
    }
  }

  @Override
  public List<Tool> of(Agent agent, Set<String> taken) {
    return agent.config().defersTools() ? own : List.of();
  }

  /// Tools listed for the agent. The list is the same object until it changes.
  List<Tool> listed(Agent agent, List<Tool> all) {
    if (!agent.config().defersTools()) {
      return all;
    }
    Set<String> loaded = Set.copyOf(database.read(tx -> loaded(tx, agent.id())));
    CachedToolList known = lists.get(agent.id());
    if (known != null && known.isOf(all, loaded)) {
      return known.list();
    }
    var list = new ArrayList<Tool>();
    var waiting = new ArrayList<String>();
    for (Tool tool : all) {
      boolean isAlwaysListed =
          agent.isExternal() && tool.name().equals(AgentToolResolver.CHECK_INBOX);
      if (isAlwaysListed || loaded.contains(tool.name())) {
        list.add(tool);
      } else if (!tool.name().equals(NAME)) {
        waiting.add(tool.name());
      }
    }
    list.addFirst(tool(waiting));
    if (lists.size() >= MAX_ENTRIES) {
      lists.clear();
    }
    var fresh = new CachedToolList(all, loaded, List.copyOf(list));
    lists.put(agent.id(), fresh);
    return fresh.list();
  }

  private Tool tool(List<String> waiting) {
    return SimpleTool.of(
        NAME,
        ToolEffect.SETS,
        FindToolsInput.class,
        LoadedTools.class,
        "Find tools by name or purpose and load them into your list of tools."
            + " Call it before you conclude that you cannot do something."
            + (waiting.isEmpty() ? "" : " Not loaded yet: " + String.join(", ", waiting) + "."),
        this::find);
  }

  private LoadedTools find(ToolCall call, FindToolsInput input) {
    int limit = input.limit() == null ? DEFAULT_LIMIT : input.limit();
    if (limit < 1 || limit > MAX_LOADED_AT_ONCE) {
      throw ErrorCode.INVALID_ARGUMENTS.fault(
          "/limit must be from 1 to " + MAX_LOADED_AT_ONCE + ", not " + limit,
          "omit the argument for " + DEFAULT_LIMIT);
    }
    Agent agent = call.caller().agent();
    List<Tool> all =
        available.apply(agent).stream().filter(tool -> !tool.name().equals(NAME)).toList();
    List<Tool> found = matching(all, input.query(), limit);
    if (found.isEmpty()) {
      return new LoadedTools(
          List.of(),
          "No tool matches. Your tools: "
              + all.stream().map(Tool::name).collect(Collectors.joining(", ")));
    }
    load(call.caller(), found.stream().map(Tool::name).toList());
    return new LoadedTools(
        found.stream()
            .map(tool ->
                new LoadedToolDefinition(tool.name(), tool.description(), tool.input().json()))
            .toList(),
        null);
  }

  private static List<Tool> matching(List<Tool> tools, String query, int limit) {
    List<String> words =
        List.of(query.toLowerCase(Locale.ROOT).split("[\\s,;]+")).stream()
            .filter(word -> !word.isEmpty())
            .toList();
    List<Tool> named =
        tools.stream().filter(tool -> words.contains(name(tool))).limit(limit).toList();
    if (named.size() == Set.copyOf(words).size()) {
      return named;
    }
    return tools.stream()
        .filter(tool -> score(tool, words) > 0)
        .sorted(
            Comparator.comparingInt((Tool tool) -> -score(tool, words)).thenComparing(Tool::name))
        .limit(limit)
        .toList();
  }

  private static String name(Tool tool) {
    return tool.name().toLowerCase(Locale.ROOT);
  }

  /// A name counts most. A whole word counts more than a part of one, and the name more than the
  /// description.
  private static int score(Tool tool, List<String> words) {
    String name = name(tool);
    String description = tool.description().toLowerCase(Locale.ROOT);
    int score = 0;
    for (String word : words) {
      if (name.equals(word)) {
        score += 10_000;
      } else if (hasWord(name, word)) {
        score += 1_000;
      } else if (hasWord(description, word)) {
        score += 100;
      } else if (name.contains(word)) {
        score += 10;
      } else if (description.contains(word)) {
        score += 1;
      }
    }
    return score;
  }

  private static boolean hasWord(String text, String word) {
    return BETWEEN_WORDS.splitAsStream(text).anyMatch(word::equals);
  }

  private void load(ToolCaller caller, List<String> names) {
    AgentId agent = caller.agent().id();
    database.transact(tx -> {
      TurnFence.require(tx, caller);
      List<String> before = loaded(tx, agent);
      var after = new LinkedHashSet<>(before);
      // The tools loaded again are the newest.
      names.forEach(after::remove);
      after.addAll(names);
      List<String> kept =
          after.stream().skip(Math.max(0, after.size() - MAX_LOADED_TOOLS)).toList();
      if (!Set.copyOf(kept).equals(Set.copyOf(before))) {
        events.append(tx, NewEvent.of("tools_loaded").about(agent.value()).with("tools", names));
      }
      AgentStateTable.setLoadedTools(tx, agent, Json.text(kept));
      return true;
    });
  }

  private static List<String> loaded(Tx tx, AgentId agent) {
    var names = new ArrayList<String>();
    tx.find(
            "select loaded_tools from agent where id = ?",
            row -> Json.own(row.text("loaded_tools")),
            agent.value())
        .ifPresent(list -> list.forEach(name -> names.add(name.asText())));
    return names;
  }
}
