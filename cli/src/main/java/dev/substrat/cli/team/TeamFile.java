package dev.substrat.cli.team;

import dev.substrat.cli.agent.ConfigFile;
import dev.substrat.fault.Fault;
import dev.substrat.protocol.ErrorCode;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// The agents that a person declared in one file.
final class TeamFile {
  private static final String STDIN = "-";

  private final String source;
  private final Map<String, Declared> byHandle;

  TeamFile(String source, Map<String, Declared> byHandle) {
    this.source = source;
    this.byHandle = new LinkedHashMap<>(byHandle);
  }

  /// Reads `file`, or `stdin` if its name is a dash.
  static TeamFile read(Path file, InputStream stdin) {
    if (!file.toString().equals(STDIN)) {
      Path folder = file.toAbsolutePath().normalize().getParent();
      return TeamReader.read(
          file.toString(), ConfigFile.read(file), folder == null ? Path.of("/") : folder);
    }
    try {
      return TeamReader.read(
          "stdin", ConfigFile.parse("stdin", stdin.readAllBytes()), Path.of("").toAbsolutePath());
    } catch (IOException e) {
      throw new Fault(
          ErrorCode.INVALID_ARGUMENTS, "cannot read stdin", "pipe a team into this command", e);
    }
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

  /// The parent, if the file declares it.
  Optional<Declared> parentOf(Declared agent) {
    return Optional.ofNullable(agent.parent()).map(byHandle::get);
  }

  /// Whether the file names this handle itself, rather than a name that suggests it.
  boolean names(String handle) {
    return Optional.ofNullable(byHandle.get(handle)).filter(Declared::isHandleGiven).isPresent();
  }
}
