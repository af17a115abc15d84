package dev.substrat.cli.team;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.cli.agent.ConfigFile;
import dev.substrat.cli.wire.Daemon;
import dev.substrat.fault.Fault;
import dev.substrat.protocol.ErrorCode;
import dev.substrat.protocol.Handle;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/// The agents and spaces that a person declared in one file.
final class TeamFile {
  private static final String STDIN = "-";

  private final String source;
  private final Map<String, Declared> byHandle;
  private final List<Declared> everyone;
  private final List<DeclaredSpace> spaces;
  private final Refusals refusals;

  TeamFile(
      String source,
      Map<String, Declared> byHandle,
      List<Declared> everyone,
      List<DeclaredSpace> spaces,
      Refusals refusals) {
    this.source = source;
    this.byHandle = new LinkedHashMap<>(byHandle);
    this.everyone = List.copyOf(everyone);
    this.spaces = List.copyOf(spaces);
    this.refusals = refusals;
  }

  /// Refuses a file that is no team. Who has to correct it anyway is told at once what the daemon
  /// will not take either; without a daemon, what is known without one.
  void requireSound(Supplier<Daemon> daemon) {
    if (!refusals.isEmpty()) {
      try {
        Daemon asked = daemon.get();
        everyone.forEach(agent -> proofread(agent, asked));
        spaces.forEach(new SpaceRehearsal(asked, refusals)::proofread);
      } catch (Fault fault) {
        if (fault.code().kind() == ErrorCode.Kind.CALLER) {
          throw fault;
        }
      }
      refusals.throwIfAny();
    }
  }

  /// Only the configuration: where the agent stands and what it is called has been looked at.
  private void proofread(Declared agent, Daemon daemon) {
    ObjectNode config = agent.config().deepCopy();
    if (agent.name().isEmpty()) {
      config.put("name", "nameless");
    }
    if (!config.path("handle").isTextual() || Handle.isValid(agent.handle())) {
      config.remove("handle");
    }
    try {
      daemon.post("/api/agents?dryRun=true", config);
    } catch (Fault fault) {
      if (fault.code().kind() != ErrorCode.Kind.CALLER) {
        throw fault;
      }
      refusals.add(agent, fault);
    }
  }

  /// Reads `file`, or `stdin` if its name is a dash. The daemon is asked only about a file that is
  /// no team.
  static TeamFile read(Path file, InputStream stdin, Supplier<Daemon> daemon) {
    if (!file.toString().equals(STDIN)) {
      Path folder = file.toAbsolutePath().normalize().getParent();
      ObjectNode tree = requireTeam(file.toString(), ConfigFile.read(file), daemon);
      return TeamReader.read(file.toString(), tree, folder == null ? Path.of("/") : folder);
    }
    try {
      ObjectNode tree =
          requireTeam("stdin", ConfigFile.parse("stdin", stdin.readAllBytes()), daemon);
      return TeamReader.read("stdin", tree, Path.of("").toAbsolutePath());
    } catch (IOException e) {
      throw new Fault(
          ErrorCode.INVALID_ARGUMENTS, "cannot read stdin", "pipe a team into this command", e);
    }
  }

  private static ObjectNode requireTeam(String source, ObjectNode tree, Supplier<Daemon> daemon) {
    var single = new SingleAgent(source, tree);
    if (single.isMeant()) {
      throw single.refusal(daemon);
    }
    return tree;
  }

  /// What to call the file when talking about it.
  String source() {
    return source;
  }

  /// Parents before their children, otherwise as they stand in the file.
  List<Declared> inOrder() {
    var ordered = new LinkedHashMap<String, Declared>();
    byHandle.values().forEach(agent -> addAfterParents(agent, ordered));
    return List.copyOf(ordered.values());
  }

  private void addAfterParents(Declared agent, Map<String, Declared> ordered) {
    parentOf(agent)
        .filter(parent -> !ordered.containsKey(parent.handle()))
        .ifPresent(parent -> addAfterParents(parent, ordered));
    ordered.putIfAbsent(agent.handle(), agent);
  }

  List<DeclaredSpace> spaces() {
    return spaces;
  }

  /// The parent, if the file declares it.
  Optional<Declared> parentOf(Declared agent) {
    return Optional.ofNullable(agent.parent()).map(byHandle::get);
  }

  /// Whether the file names this handle itself, rather than a name that suggests it.
  boolean names(String handle) {
    return Optional.ofNullable(byHandle.get(handle)).filter(Declared::isHandleGiven).isPresent();
  }
}
