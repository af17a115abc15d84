package dev.substrat.cli.team;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.cli.agent.ConfigYaml;
import dev.substrat.cli.client.DaemonClient;
import dev.substrat.cli.client.JsonTree;
import dev.substrat.cli.terminal.RootCommand;
import dev.substrat.cli.terminal.Terminal;
import dev.substrat.cli.terminal.TerminalText;
import dev.substrat.protocol.ErrorCode;
import dev.substrat.protocol.Fault;
import dev.substrat.protocol.Handle;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// Exports the existing team as a file for `apply`. Applying it to the same team changes nothing.
@Command(
    description = {
      "Export all agents, or one agent and the agents below it, as a team file for ./substrat"
          + " apply.",
      "",
      "The file has people, agents with their memory, goals and plans, shared blocks and spaces.",
      "With AGENT, it has only these agents and their shared blocks. Messages, runs and tokens are"
          + " not",
      "exported."
    },
    footer = {
      "  ./substrat export -o team.yaml",
      "  ./substrat export mira",
      "  ./substrat export | ./substrat apply - --data /tmp/copy",
      ""
    })
public final class ExportCommand implements Runnable {
  private static final List<String> SPACE_KEYS =
      List.of("name", "id", "kind", "topic", "wakePolicy", "maxChainDepth");

  private final RootCommand shell;

  @Parameters(
      arity = "0..1",
      paramLabel = "AGENT",
      description = "Agent to export with all agents below it: handle or id (default: all agents).")
  private @Nullable String agent;

  @Option(
      names = {"-o", "--output"},
      paramLabel = "FILE",
      description = "Output file (default: stdout).")
  private @Nullable Path output;

  public ExportCommand(RootCommand shell) {
    this.shell = shell;
  }

  @Override
  public void run() {
    DaemonClient daemon = shell.daemon();
    var living = new LiveTeam(daemon.readAll("/api/agents", "agents").path("agents"));
    List<LiveAgent> tops = agent == null ? living.roots() : List.of(require(living, agent));
    var team = JsonTree.object();
    Set<String> known = new HashSet<>(Set.of(Handle.OPERATOR));
    if (agent == null) {
      addPeople(daemon, team, known);
    }
    ArrayNode list = team.putArray("agents");
    tops.forEach(top -> tree(daemon, living, top, known).ifPresent(list::add));
    noteSpawned(living, tops);
    addSharedBlocks(daemon, team, known, agent == null);
    if (agent == null) {
      addSpaces(daemon, team, known);
    }
    String text = shell.wantsJson() ? JsonTree.text(team) + "\n" : ConfigYaml.text(team);
    if (output == null) {
      Terminal screen = shell.terminal();
      screen.out().print(screen.outIsTerminal() ? TerminalText.block(text) : text);
      screen.out().flush();
    } else {
      write(output, text);
    }
  }

  private static void addPeople(DaemonClient daemon, ObjectNode team, Set<String> known) {
    for (JsonNode person : byText(daemon.readAll("/api/people", "people").path("people"), "name")) {
      known.add(person.path("name").asText());
      ObjectNode declared = team.withArrayProperty("people").addObject();
      declared.set("name", person.path("name"));
      if (person.hasNonNull("displayName")) {
        declared.set("displayName", person.path("displayName"));
      }
    }
  }

  /// For a part of the team, only the blocks of its agents.
  private static void addSharedBlocks(
      DaemonClient daemon, ObjectNode team, Set<String> known, boolean isWhole) {
    var blocks = new ArrayList<ObjectNode>();
    for (JsonNode block : daemon.read("/api/shared-blocks").path("blocks")) {
      ObjectNode declared = LiveSnapshot.exportedBlock(block);
      for (JsonNode one : byText(block.path("agents"), "agent")) {
        if (known.contains(one.path("agent").asText())) {
          String role = one.path("mayWrite").asBoolean() ? "writers" : "readers";
          declared.withArrayProperty(role).add(one.path("agent").asText());
        }
      }
      if (isWhole || declared.has("readers") || declared.has("writers")) {
        blocks.add(declared);
      }
    }
    blocks.sort(
        Comparator.comparing((ObjectNode one) -> one.path("label").asText())
            .thenComparing(one -> JsonTree.text(one)));
    blocks.forEach(block -> team.withArrayProperty("sharedBlocks").add(block));
  }

  /// Members that no longer exist are left out, and so are DMs with them.
  private static void addSpaces(DaemonClient daemon, ObjectNode team, Set<String> known) {
    for (JsonNode line : byText(daemon.readAll("/api/spaces", "spaces").path("spaces"), "id")) {
      JsonNode space = daemon.read(DaemonClient.path("/api/spaces/", line.path("id").asText()));
      boolean isDm = space.path("kind").asText().equals("dm");
      List<String> members =
          space
              .path("members")
              .valueStream()
              .map(member -> member.path("handle").asText())
              .filter(known::contains)
              .toList();
      if (isDm && members.size() < 2) {
        continue;
      }
      ObjectNode declared = team.withArrayProperty("spaces").addObject();
      for (String key : SPACE_KEYS) {
        boolean isDerived = isDm && (key.equals("id") || isOwnName(space, key));
        if (!isDerived && space.hasNonNull(key) && !space.path(key).asText().isEmpty()) {
          declared.set(key, space.path(key));
        }
      }
      ArrayNode list = declared.putArray("members");
      (isDm ? members.stream().sorted() : members.stream()).forEach(list::add);
    }
  }

  private static boolean isOwnName(JsonNode dm, String key) {
    return key.equals("name") && dm.path("name").equals(dm.path("id"));
  }

  /// Sorted here, because the collations of databases differ.
  private static List<JsonNode> byText(JsonNode list, String key) {
    return list.valueStream()
        .sorted(Comparator.comparing((JsonNode one) -> one.path(key).asText()))
        .toList();
  }

  private static LiveAgent require(LiveTeam living, String name) {
    return living
        .find(name)
        .orElseThrow(() ->
            ErrorCode.AGENT_NOT_FOUND.fault(
                "agent %s not found".formatted(name), "list agents with: ./substrat agent list"));
  }

  /// An agent with its descendants. Agents terminated since they were listed are left out, with
  /// their descendants.
  private static Optional<ObjectNode> tree(
      DaemonClient daemon, LiveTeam living, LiveAgent one, Set<String> known) {
    ObjectNode agent;
    try {
      JsonNode config = daemon.read(DaemonClient.path("/api/agents/", one.id()) + "/config");
      agent = inReadingOrder((ObjectNode) config);
      LiveSnapshot.read(daemon, one.id()).exportTo(agent);
    } catch (Fault fault) {
      if (fault.code() == ErrorCode.AGENT_NOT_FOUND) {
        return Optional.empty();
      }
      throw fault;
    }
    known.add(one.handle());
    for (LiveAgent below : living.childrenOf(one)) {
      tree(daemon, living, below, known)
          .ifPresent(child -> {
            // Nesting defines the parent; only the root of a partial export names it.
            child.remove("parent");
            agent.withArrayProperty("children").add(child);
          });
    }
    return Optional.of(agent);
  }

  /// Identity and position first, then the rest.
  private static ObjectNode inReadingOrder(ObjectNode config) {
    var ordered = JsonTree.object();
    for (String key : List.of("name", "handle", "parent")) {
      if (config.has(key)) {
        ordered.set(key, config.get(key));
      }
    }
    return ordered.setAll(config);
  }

  private void noteSpawned(LiveTeam living, List<LiveAgent> tops) {
    String spawned =
        tops.stream()
            .flatMap(top -> Stream.concat(Stream.of(top), living.descendants(top).stream()))
            .filter(LiveAgent::spawned)
            .map(LiveAgent::handle)
            .collect(Collectors.joining(", "));
    if (!spawned.isEmpty()) {
      shell.note("includes agents spawned at run time: " + TerminalText.line(spawned));
    }
  }

  private void write(Path file, String text) {
    try {
      Files.writeString(file, text);
      shell.note("written to " + file);
    } catch (IOException e) {
      String reason = e instanceof NoSuchFileException ? "folder not found" : e.getMessage();
      throw ErrorCode.INVALID_ARGUMENTS.fault(
          "cannot write %s: %s".formatted(file, reason), "check the path and its permissions", e);
    }
  }
}
