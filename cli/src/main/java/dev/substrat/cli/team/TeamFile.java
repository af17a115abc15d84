package dev.substrat.cli.team;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.cli.agent.ConfigFile;
import dev.substrat.cli.client.DaemonClient;
import dev.substrat.protocol.ErrorCode;
import dev.substrat.protocol.Fault;
import dev.substrat.protocol.Handle;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/// A team declared in a file: people, agents, shared blocks and spaces.
///
/// `agents` has the agents with a unique handle, keyed by it; `everyone` also has agents without a
/// name or with a duplicate handle.
record TeamFile(
    Map<String, DeclaredAgent> agents,
    List<DeclaredAgent> allAgents,
    List<DeclaredObject> people,
    List<DeclaredObject> sharedBlocks,
    List<DeclaredSpace> spaces,
    TeamFileProblems problems) {
  private static final String STDIN = "-";

  /// A declared person or shared block, with its position in the file.
  record DeclaredObject(String pointer, String name, ObjectNode body) {}

  TeamFile {
    agents = new LinkedHashMap<>(agents);
    allAgents = List.copyOf(allAgents);
    people = List.copyOf(people);
    sharedBlocks = List.copyOf(sharedBlocks);
    spaces = List.copyOf(spaces);
  }

  /// Reads `file`, or `stdin` if it is `-`. The daemon is called only if the file is not a team.
  static TeamFile read(Path file, InputStream stdin, Supplier<DaemonClient> daemon) {
    boolean isStdin = file.toString().equals(STDIN);
    String source = isStdin ? "stdin" : file.toString();
    // Reports a missing file, or one that is not text.
    byte[] bytes = isStdin ? all(stdin) : bytes(file);
    ObjectNode tree = ConfigFile.parse(source, bytes);
    var single = new SingleAgentFile(source, tree);
    if (single.isSingleAgent()) {
      throw single.refusal(daemon);
    }
    Path folder = isStdin ? Path.of("") : Optional.ofNullable(file.getParent()).orElse(Path.of(""));
    var refusals = new TeamFileProblems(source, () -> ConfigFile.lines(source, bytes));
    return TeamFileParser.read(tree, folder.toAbsolutePath().normalize(), refusals);
  }

  private static byte[] bytes(Path file) {
    try {
      return Files.readAllBytes(file);
    } catch (IOException _) {
      // Reports why the file cannot be read.
      ConfigFile.read(file);
      throw ErrorCode.INVALID_ARGUMENTS.fault("cannot read " + file, "check the path");
    }
  }

  private static byte[] all(InputStream stdin) {
    try {
      return stdin.readAllBytes();
    } catch (IOException e) {
      throw ErrorCode.INVALID_ARGUMENTS.fault(
          "cannot read stdin", "pipe a team file into this command", e);
    }
  }

  /// Parents before their children, otherwise in the order of the file.
  List<DeclaredAgent> inOrder() {
    var ordered = new LinkedHashMap<String, DeclaredAgent>();
    agents.values().forEach(agent -> addAfterParents(agent, ordered, new HashSet<>()));
    return List.copyOf(ordered.values());
  }

  /// `below` are the agents whose parents are being added. A cycle is reported as an error.
  private void addAfterParents(
      DeclaredAgent agent, Map<String, DeclaredAgent> ordered, Set<String> below) {
    if (below.add(agent.handle())) {
      parentOf(agent)
          .filter(parent -> !ordered.containsKey(parent.handle()))
          .ifPresent(parent -> addAfterParents(parent, ordered, below));
      ordered.putIfAbsent(agent.handle(), agent);
    }
  }

  /// Agents that cannot be planned, because their name or handle is invalid.
  List<DeclaredAgent> invalidAgents() {
    return allAgents.stream().filter(agent -> !agent.equals(agents.get(agent.handle()))).toList();
  }

  /// The parent, if it is declared in the file.
  Optional<DeclaredAgent> parentOf(DeclaredAgent agent) {
    return Optional.ofNullable(agent.parent()).map(agents::get);
  }

  /// True if the handle is explicit in the file, not derived from a name.
  boolean hasExplicitHandle(String handle) {
    return Optional.ofNullable(agents.get(handle))
        .filter(DeclaredAgent::hasExplicitHandle)
        .isPresent();
  }

  /// A file that declares a single agent instead of a team. The hint depends on whether the agent
  /// exists.
  private record SingleAgentFile(String source, ObjectNode tree) {

    boolean isSingleAgent() {
      return tree.has("name") && !tree.has("agents") && !tree.has("spaces");
    }

    Fault refusal(Supplier<DaemonClient> daemon) {
      String handle = tree.path("handle").asText(Handle.of(tree.path("name").asText()));
      String file = source.equals("stdin") ? "FILE" : source;
      String advice =
          exists(handle, daemon)
              ? "%s exists; to update the agent: ./substrat agent update %s --config %s"
                  .formatted(handle, handle, file)
              : "create it: ./substrat agent create --config " + file;
      return ErrorCode.INVALID_CONFIG.fault(
          source + " declares an agent, not a team",
          advice + "; in a team file, put the agent under agents:");
    }

    /// False if the daemon cannot be reached.
    private static boolean exists(String handle, Supplier<DaemonClient> daemon) {
      try {
        JsonNode agent = daemon.get().read(DaemonClient.path("/api/agents/", handle));
        return !agent.path("state").asText().equals("terminated");
      } catch (Fault _) {
        return false;
      }
    }
  }
}
