package dev.substrat.cli.tool;

import com.fasterxml.jackson.databind.JsonNode;
import dev.substrat.cli.client.DaemonClient;
import dev.substrat.cli.client.JsonTree;
import dev.substrat.cli.client.ProblemConverter;
import dev.substrat.cli.terminal.KeyValueTable;
import dev.substrat.cli.terminal.RootCommand;
import dev.substrat.cli.terminal.Terminal;
import dev.substrat.cli.terminal.TextTable;
import dev.substrat.protocol.ErrorCode;
import dev.substrat.protocol.SpellingSuggestion;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/// Commands for the tools of agents.
@Command(
    description = "Inspect and call the tools of an agent: list, show, call.",
    footer = {
      "  ./substrat tool list mira",
      "  ./substrat tool show mira send_message",
      "  ./substrat tool call mira fetchWeather '{\"city\":\"Oslo\"}'",
      ""
    })
public final class ToolCommands {
  private static final List<String> ORIGINS = List.of("configured", "remote", "builtin");

  /// End of the first sentence: not the dot in `v2.1` or `e.g. this`.
  private static final Pattern SENTENCE =
      Pattern.compile("^.*?[.!?](?=\\s+\\p{Lu}|\\s*$)", Pattern.DOTALL);

  private final RootCommand shell;

  public ToolCommands(RootCommand shell) {
    this.shell = shell;
  }

  @Command(
      name = "list",
      description = "List an agent's tools with their origin (built-in, custom, remote).",
      footer = {"  ./substrat tool list mira", "  ./substrat tool list mira --json", ""})
  void list(@Parameters(paramLabel = "AGENT", description = "Agent: handle or id.") String agent) {
    JsonNode list = shell.daemon().read(DaemonClient.query("/api/tools", "agent", agent));
    if (shell.printsJson(list)) {
      return;
    }
    print(list.path("tools"), shell.terminal());
  }

  @Command(
      name = "show",
      description = "Show the description and the arguments of an agent's tool.",
      footer = {
        "  ./substrat tool show mira send_message",
        "  ./substrat tool show mira send_message --json     # definition with the JSON schema",
        ""
      })
  void show(
      @Parameters(paramLabel = "AGENT", description = "Agent: handle or id.") String agent,
      @Parameters(paramLabel = "TOOL", description = "Tool name, from ./substrat tool list.")
          String name) {
    JsonNode tools =
        shell.daemon().read(DaemonClient.query("/api/tools", "agent", agent)).path("tools");
    List<String> names = tools.valueStream().map(one -> one.path("name").asText()).toList();
    if (!names.contains(name)) {
      throw ErrorCode.UNKNOWN_TOOL.fault(
          "%s has no tool %s".formatted(agent, name),
          SpellingSuggestion.suggestion(name, names)
              + shell.command("tool list " + agent)
              + " lists its tools");
    }
    JsonNode tool = tools.path(names.indexOf(name));
    if (!shell.printsJson(tool)) {
      printOne(tool, shell.terminal());
    }
  }

  @Command(
      name = "call",
      description = "Call a custom or remote tool as the agent and print the result.",
      footer = {"  ./substrat tool call mira fetchWeather '{\"city\":\"Oslo\"}'", ""})
  void call(
      @Parameters(paramLabel = "AGENT", description = "Agent: handle or id.") String agent,
      @Parameters(paramLabel = "TOOL", description = "Tool name, from ./substrat tool list.")
          String tool,
      @Parameters(
              paramLabel = "JSON",
              arity = "0..1",
              description = "Arguments as a JSON object (default: none).")
          @Nullable String arguments) {
    var body = JsonTree.object().put("agent", agent);
    body.set("arguments", arguments == null ? JsonTree.object() : parsed(arguments));
    String path = DaemonClient.path("/api/tools/", tool) + "/call";
    shell
        .terminal()
        .json(ProblemConverter.requireToolSuccess(shell.daemon().postAndWait(path, body)));
  }

  private static JsonNode parsed(String arguments) {
    try {
      JsonNode parsed = JsonTree.parse(arguments.getBytes(StandardCharsets.UTF_8));
      if (parsed.isObject()) {
        return parsed;
      }
      throw new IOException("not an object");
    } catch (IOException e) {
      throw ErrorCode.INVALID_ARGUMENTS.fault(
          "the arguments are not a JSON object: " + firstLine(e),
          "put the object in single quotes: '{\"city\":\"Oslo\"}'",
          e);
    }
  }

  private static String firstLine(IOException e) {
    return String.valueOf(e.getMessage()).lines().findFirst().orElse("");
  }

  /// Prints custom tools first, then remote tools, then built-in tools.
  private static void print(JsonNode tools, Terminal screen) {
    var table = TextTable.of("TOOL", "FROM", "RUNS", "VISIBLE", "DESCRIPTION");
    tools
        .valueStream()
        .sorted(
            Comparator.comparingInt(
                    (JsonNode tool) -> ORIGINS.indexOf(tool.path("origin").asText()))
                .thenComparing(ToolCommands::from))
        .forEach(tool ->
            table.row(
                tool.path("name").asText(),
                from(tool),
                tool.path("executionType").asText(),
                tool.path("visible").asBoolean() ? "yes" : "",
                firstSentence(tool.path("description").asText())));
    table.print(screen);
  }

  /// Prints a tool with its arguments.
  private static void printOne(JsonNode tool, Terminal screen) {
    new KeyValueTable()
        .with("tool", tool.path("name"))
        .with("from", from(tool))
        .with("runs", tool.path("executionType").asText(""))
        .with("description", tool.path("description"))
        .print(screen);
    screen.line("");
    List<ToolArgumentList.ToolArgument> lines =
        new ToolArgumentList(tool.path("inputSchema")).lines();
    if (lines.isEmpty()) {
      screen.line("no arguments");
      return;
    }
    var table = TextTable.of("ARGUMENT", "TYPE", "REQUIRED", "DESCRIPTION");
    lines.forEach(line ->
        table.wholeRow(line.name(), line.type(), line.isRequired() ? "yes" : "", line.meaning()));
    table.printWhole(screen);
  }

  private static String from(JsonNode tool) {
    return switch (tool.path("origin").asText()) {
      case "configured" -> "own";
      case "remote" -> ("server " + tool.path("server").asText()).strip();
      case "builtin" -> "built in";
      default -> tool.path("origin").asText();
    };
  }

  private static String firstSentence(String text) {
    var sentence = SENTENCE.matcher(text);
    return (sentence.find() ? sentence.group() : text).replaceAll("\\s+", " ").strip();
  }
}
