package dev.substrat.cli.agent;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.cli.client.DaemonClient;
import dev.substrat.cli.client.JsonTree;
import dev.substrat.cli.terminal.KeyValueTable;
import dev.substrat.cli.terminal.RootCommand;
import dev.substrat.cli.terminal.TerminalText;
import dev.substrat.protocol.ErrorCode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// Imports an agent from a configuration file, or skills from folders.
@Command(
    description = {
      "Create an agent from a configuration or from skill folders; or add skills to an agent.",
      "",
      "PATH is a YAML or JSON file, a skill folder (with SKILL.md), or a folder that contains"
          + " skill",
      "folders. With --into, the skills are added to an agent; skills with the same name are"
          + " replaced."
    },
    footer = {
      "  ./substrat agent import ada.yaml",
      "  ./substrat agent import ada.yaml --name grace --parent mira",
      "  ./substrat agent import .claude/skills --into ada",
      "  ./substrat agent import skills/pdf --name clerk",
      ""
    })
final class AgentImportCommand implements Runnable {
  /// The daemon's limit.
  private static final int MAX_SIZE = 4 * 1024 * 1024;

  private final RootCommand shell;

  @Parameters(paramLabel = "PATH", description = "File or folder.")
  private Path path = Path.of("");

  @Option(names = "--name", paramLabel = "N", description = "Name of the new agent.")
  private @Nullable String name;

  @Option(names = "--parent", paramLabel = "A", description = "Parent agent: handle or id.")
  private @Nullable String parent;

  @Option(
      names = "--into",
      paramLabel = "A",
      description = "Add the skills to this agent: handle or id.")
  private @Nullable String into;

  AgentImportCommand(RootCommand shell) {
    this.shell = shell;
  }

  @Override
  public void run() {
    if (into != null && (name != null || parent != null)) {
      throw ErrorCode.INVALID_ARGUMENTS.fault(
          "--into changes an existing agent; --name and --parent are for a new agent",
          "remove --into, or --name and --parent");
    }
    if (Files.isDirectory(path)) {
      skills(SkillFolders.read(path));
    } else {
      config();
    }
  }

  private void config() {
    if (into != null) {
      throw ErrorCode.INVALID_ARGUMENTS.fault(
          "--into needs skill folders, not a configuration file",
          "change an agent: ./substrat agent update AGENT --config FILE");
    }
    ObjectNode body = ConfigFile.parse(path.toString(), BoundedFileReader.read(path, MAX_SIZE));
    if (body.has("agents")) {
      throw ErrorCode.INVALID_ARGUMENTS.fault(
          path + " declares a whole team", "apply it: ./substrat apply " + path);
    }
    create(body, List.of());
  }

  private void create(ObjectNode body, List<String> notes) {
    JsonTree.putIfGiven(body, "name", name);
    JsonTree.putIfGiven(body, "parent", parent);
    report("created", shell.daemon().post("/api/agents", body), notes);
  }

  private void skills(SkillFolders.SkillScanResult found) {
    if (into == null) {
      var body =
          JsonTree.object()
              .put("name", String.valueOf(path.toAbsolutePath().normalize().getFileName()));
      body.set("skills", found.skills());
      create(body, found.notes());
      return;
    }
    String target = DaemonClient.path("/api/agents/", into);
    var config = (ObjectNode) shell.daemon().read(target + "/config");
    config.set("skills", merged(config.path("skills"), found.skills()));
    report("changed", shell.daemon().put(target, config), found.notes());
  }

  /// Existing skills keep their position.
  private static ArrayNode merged(JsonNode before, JsonNode fresh) {
    ArrayNode all = JsonTree.object().putArray("skills");
    before.forEach(skill -> all.add(find(fresh, skill)));
    fresh.valueStream().filter(skill -> !has(before, skill)).forEach(all::add);
    return all;
  }

  private static JsonNode find(JsonNode skills, JsonNode wanted) {
    return skills.valueStream().filter(one -> isSame(one, wanted)).findFirst().orElse(wanted);
  }

  private static boolean has(JsonNode skills, JsonNode wanted) {
    return skills.valueStream().anyMatch(one -> isSame(one, wanted));
  }

  private static boolean isSame(JsonNode one, JsonNode other) {
    return one.path("name").asText().equals(other.path("name").asText());
  }

  private void report(String done, JsonNode agent, List<String> notes) {
    if (!shell.printsJson(agent)) {
      new KeyValueTable()
          .with(done, agent.path("handle"))
          .with("id", agent.path("id"))
          .with(
              "skills",
              agent
                  .path("skills")
                  .valueStream()
                  .map(skill -> skill.path("name").asText())
                  .collect(Collectors.joining(", ")))
          .print(shell.terminal());
    }
    notes.forEach(note -> shell.note("note: " + TerminalText.line(note)));
  }
}
