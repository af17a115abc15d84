package dev.substrat.cli.mcpserver;

import com.fasterxml.jackson.databind.JsonNode;
import dev.substrat.cli.client.JsonTree;
import dev.substrat.cli.configedit.LineDiff;
import dev.substrat.cli.terminal.KeyValueTable;
import dev.substrat.cli.terminal.RelativeTime;
import dev.substrat.cli.terminal.Terminal;
import dev.substrat.cli.terminal.TerminalText;
import dev.substrat.cli.terminal.TextTable;
import java.util.stream.Collectors;

/// Prints a remote server and its tools.
record ServerPrinter(Terminal screen) {
  private static final int MAX_LENGTH = 400;

  void print(JsonNode server) {
    new KeyValueTable()
        .with("server", server.path("name"))
        .with("transport", server.path("transport"))
        .with("state", state(server))
        .with("problem", server.path("problem").asText(""))
        .with("seen", RelativeTime.time(server.path("seenAt")))
        .with("command", command(server))
        .with("environment", server.hasNonNull("command") ? variables(server) : "")
        .with("network", server.hasNonNull("command") ? network(server) : "")
        .with("access", access(server))
        .with("new tools", policy(server))
        .print(screen);
    if (!server.path("tools").isEmpty()) {
      var table = TextTable.of("TOOL", "VERDICT", "OFFERED", "DESCRIPTION");
      for (JsonNode tool : server.path("tools")) {
        JsonNode known =
            tool.path("approved").isNull() ? tool.path("offered") : tool.path("approved");
        table.row(
            tool.path("name").asText(),
            tool.path("verdict").asText(),
            tool.path("listed").asBoolean() ? "yes" : "no",
            TerminalText.cut(known.path("description").asText(), MAX_LENGTH));
      }
      table.print(screen);
    }
    server
        .path("tools")
        .valueStream()
        .filter(tool -> tool.path("verdict").asText().equals("quarantined"))
        .forEach(this::difference);
  }

  /// A program in state `new` has been approved; otherwise its state would be `unapproved`.
  static String state(JsonNode server) {
    String state = server.path("state").asText();
    return state.equals("new") && server.hasNonNull("command") ? "approved, starting" : state;
  }

  /// The command line, each word quoted.
  static String command(JsonNode server) {
    return server
        .path("command")
        .valueStream()
        .map(JsonTree::text)
        .collect(Collectors.joining(" "));
  }

  /// Environment variables as configured, with placeholders instead of secrets.
  static String variables(JsonNode server) {
    String all =
        server.path("env").properties().stream()
            .map(one -> one.getKey() + "=" + JsonTree.text(one.getValue()))
            .collect(Collectors.joining(" "));
    return all.isEmpty() ? "none" : all;
  }

  static String network(JsonNode server) {
    return server.path("network").asBoolean() ? "yes" : "no";
  }

  /// What the program may read, write and connect to, as the daemon reports it.
  static String access(JsonNode server) {
    return server.hasNonNull("access") ? "this program " + server.path("access").asText() : "";
  }

  /// Policy for tools of a new server, with its reason.
  static String policy(JsonNode server) {
    JsonNode policy = server.path("policy");
    return policy.isObject()
        ? "%s: %s".formatted(policy.path("policy").asText(), policy.path("reason").asText())
        : "";
  }

  /// Prints the difference between the approved and the offered version.
  void difference(JsonNode tool) {
    String name = tool.path("name").asText();
    if (!tool.hasNonNull("offered")) {
      screen.line(name + " is unchanged since its approval");
      return;
    }
    boolean isNew = !tool.hasNonNull("approved");
    boolean isRejected = tool.path("verdict").asText().equals("rejected");
    screen.line("");
    screen.line(name + (isNew ? isRejected ? " was rejected:" : " is new:" : " has changed:"));
    for (JsonNode finding : tool.path("findings")) {
      String words = finding.path("pointer").asText() + ": " + finding.path("text").asText();
      screen.line("suspicious: " + TerminalText.line(words));
    }
    String before = isNew ? "" : shown(tool.path("approved"));
    LineDiff.between(before, shown(tool.path("offered")))
        .forEach(line -> screen.line(TerminalText.line(line)));
  }

  /// The definition as the model reads it; [JsonTree] escapes hidden characters.
  private static String shown(JsonNode definition) {
    return JsonTree.pretty(definition) + "\n";
  }
}
