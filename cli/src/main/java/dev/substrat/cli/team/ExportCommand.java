package dev.substrat.cli.team;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.cli.agent.ConfigYaml;
import dev.substrat.cli.shell.Plain;
import dev.substrat.cli.shell.Screen;
import dev.substrat.cli.shell.Shell;
import dev.substrat.cli.wire.Daemon;
import dev.substrat.cli.wire.Json;
import dev.substrat.fault.Fault;
import dev.substrat.protocol.ErrorCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// The living team as a file that `apply` takes and finds nothing to change in.
@Command(
    description = "Write the living team, or the tree under one agent, as a file for apply.",
    footer = {
      "  ./substrat export -o team.yaml",
      "  ./substrat export mira",
      "  ./substrat export | ./substrat apply - --data /tmp/copy",
      ""
    })
public final class ExportCommand implements Runnable {
  private final Shell shell;

  @Parameters(
      arity = "0..1",
      paramLabel = "AGENT",
      description = "Handle or id of the one to start at; everybody if left out.")
  private @Nullable String agent;

  @Option(
      names = {"-o", "--output"},
      paramLabel = "FILE",
      description = "Write to FILE instead of stdout.")
  private @Nullable Path output;

  public ExportCommand(Shell shell) {
    this.shell = shell;
  }

  @Override
  public void run() {
    Daemon daemon = shell.daemon();
    var living = new LivingTeam(daemon.readAll("/api/agents", "agents").path("agents"));
    List<Living> tops = agent == null ? living.roots() : List.of(require(living, agent));
    var team = Json.object();
    ArrayNode list = team.putArray("agents");
    tops.forEach(top -> tree(daemon, living, top).ifPresent(list::add));
    noteSpawned(living, tops);
    if (agent == null) {
      addSpaces(daemon, team);
    }
    String text = shell.wantsJson() ? Json.text(team) + "\n" : ConfigYaml.text(team);
    if (output == null) {
      Screen screen = shell.screen();
      screen.out().print(screen.outIsTerminal() ? Plain.block(text) : text);
      screen.out().flush();
    } else {
      write(output, text);
    }
  }

  /// DMs come to be by themselves, when somebody writes to somebody.
  private static void addSpaces(Daemon daemon, ObjectNode team) {
    for (JsonNode line : daemon.readAll("/api/spaces", "spaces").path("spaces")) {
      if (!line.path("kind").asText().equals("dm")) {
        JsonNode space = daemon.read(Daemon.path("/api/spaces/", line.path("id").asText()));
        ObjectNode declared = team.withArrayProperty("spaces").addObject();
        for (String key : List.of("name", "id", "kind", "topic", "wakePolicy", "maxChainDepth")) {
          if (space.hasNonNull(key) && !space.path(key).asText().isEmpty()) {
            declared.set(key, space.path(key));
          }
        }
        ArrayNode members = declared.putArray("members");
        space.path("members").forEach(member -> members.add(member.path("handle").asText()));
      }
    }
  }

  private static Living require(LivingTeam living, String name) {
    return living
        .find(name)
        .orElseThrow(() ->
            new Fault(
                ErrorCode.AGENT_NOT_FOUND,
                "there is no agent " + name,
                "./substrat agent list shows those there are"));
  }

  /// An agent with everyone below it. One that ended since the list was made is left out; whoever
  /// was below it ended with it.
  private static Optional<ObjectNode> tree(Daemon daemon, LivingTeam living, Living one) {
    ObjectNode agent;
    try {
      JsonNode config = daemon.read(Daemon.path("/api/agents/", one.id()) + "/config");
      agent = inReadingOrder((ObjectNode) config);
    } catch (Fault fault) {
      if (fault.code() == ErrorCode.AGENT_NOT_FOUND) {
        return Optional.empty();
      }
      throw fault;
    }
    for (Living below : living.childrenOf(one)) {
      tree(daemon, living, below)
          .ifPresent(child -> {
            // Where it stands says it; only the top of a part of a tree has to name its parent.
            child.remove("parent");
            agent.withArrayProperty("children").add(child);
          });
    }
    return Optional.of(agent);
  }

  /// Who and where first, then the rest.
  private static ObjectNode inReadingOrder(ObjectNode config) {
    var ordered = Json.object();
    for (String key : List.of("name", "handle", "parent")) {
      if (config.has(key)) {
        ordered.set(key, config.get(key));
      }
    }
    return ordered.setAll(config);
  }

  private void noteSpawned(LivingTeam living, List<Living> tops) {
    String spawned =
        tops.stream()
            .flatMap(top -> Stream.concat(Stream.of(top), living.below(top).stream()))
            .filter(Living::spawned)
            .map(Living::handle)
            .collect(Collectors.joining(", "));
    if (!spawned.isEmpty()) {
      shell.screen().note("spawned at run time, and in here too: " + Plain.line(spawned));
    }
  }

  private void write(Path file, String text) {
    try {
      Files.writeString(file, text);
      shell.screen().note("written to " + file);
    } catch (IOException e) {
      String reason = e instanceof NoSuchFileException ? "its folder is not there" : e.getMessage();
      throw new Fault(
          ErrorCode.INVALID_ARGUMENTS,
          "cannot write %s: %s".formatted(file, reason),
          "check the path and its permissions",
          e);
    }
  }
}
