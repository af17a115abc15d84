package dev.substrat.cli.team;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.cli.agent.ConfigFile;
import dev.substrat.cli.wire.DaemonClient;
import dev.substrat.protocol.ErrorCode;
import dev.substrat.protocol.Fault;
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

/// A team as a person declared it in one file: people, agents, shared blocks and spaces.
///
/// `agents` are those with a handle of their own, by that handle; `everyone` also has those that
/// lack a name or share a handle by mistake.
record TeamFile(
    Map<String, DeclaredAgent> agents,
    List<DeclaredAgent> everyone,
    List<Part> people,
    List<Part> sharedBlocks,
    List<DeclaredSpace> spaces,
    TeamFileProblems refusals) {
  private static final String STDIN = "-";

  /// A person or a shared block as a file declares it, and where it stands there.
  record Part(String pointer, String name, ObjectNode body) {}

  TeamFile {
    agents = new LinkedHashMap<>(agents);
    everyone = List.copyOf(everyone);
    people = List.copyOf(people);
    sharedBlocks = List.copyOf(sharedBlocks);
    spaces = List.copyOf(spaces);
  }

  /// Reads `file`, or `stdin` if its name is a dash. The daemon is asked only about a file that is
  /// no team.
  static TeamFile read(Path file, InputStream stdin, Supplier<DaemonClient> daemon) {
    boolean isStdin = file.toString().equals(STDIN);
    String source = isStdin ? "stdin" : file.toString();
    // Refuses a file that is not there or is no text.
    byte[] bytes = isStdin ? all(stdin) : bytes(file);
    ObjectNode tree = ConfigFile.parse(source, bytes);
    var single = new SingleAgentFile(source, tree);
    if (single.isMeant()) {
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
      // It has words for every way in which a file cannot be read.
      ConfigFile.read(file);
      throw new Fault(ErrorCode.INVALID_ARGUMENTS, "cannot read " + file, "check the path");
    }
  }

  private static byte[] all(InputStream stdin) {
    try {
      return stdin.readAllBytes();
    } catch (IOException e) {
      throw new Fault(
          ErrorCode.INVALID_ARGUMENTS, "cannot read stdin", "pipe a team into this command", e);
    }
  }

  /// Parents before their children, otherwise as they stand in the file.
  List<DeclaredAgent> inOrder() {
    var ordered = new LinkedHashMap<String, DeclaredAgent>();
    agents.values().forEach(agent -> addAfterParents(agent, ordered, new HashSet<>()));
    return List.copyOf(ordered.values());
  }

  /// `below` are the agents whose parents are being added: a circle is a mistake, and reported.
  private void addAfterParents(
      DeclaredAgent agent, Map<String, DeclaredAgent> ordered, Set<String> below) {
    if (below.add(agent.handle())) {
      parentOf(agent)
          .filter(parent -> !ordered.containsKey(parent.handle()))
          .ifPresent(parent -> addAfterParents(parent, ordered, below));
      ordered.putIfAbsent(agent.handle(), agent);
    }
  }

  /// Agents that the plan cannot be about, because their name or handle is wrong.
  List<DeclaredAgent> misnamed() {
    return everyone.stream().filter(agent -> !agent.equals(agents.get(agent.handle()))).toList();
  }

  /// The parent, if the file declares it.
  Optional<DeclaredAgent> parentOf(DeclaredAgent agent) {
    return Optional.ofNullable(agent.parent()).map(agents::get);
  }

  /// Whether the file names this handle itself, rather than a name that suggests it.
  boolean names(String handle) {
    return Optional.ofNullable(agents.get(handle)).filter(DeclaredAgent::isHandleGiven).isPresent();
  }
}
