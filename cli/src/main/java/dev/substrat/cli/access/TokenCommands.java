package dev.substrat.cli.access;

import com.fasterxml.jackson.databind.JsonNode;
import dev.substrat.cli.client.DaemonClient;
import dev.substrat.cli.client.JsonTree;
import dev.substrat.cli.terminal.DurationConverter;
import dev.substrat.cli.terminal.RelativeTime;
import dev.substrat.cli.terminal.RootCommand;
import dev.substrat.cli.terminal.TextTable;
import dev.substrat.protocol.ErrorCode;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// Commands for tokens of agents, people, operators and zoo clients.
@Command(
    description = "Manage access tokens: create, list, rotate, revoke.",
    footer = {
      "  ./substrat token create --agent mira",
      "  ./substrat token create --person ana",
      "  ./substrat token list",
      "  ./substrat token rotate TOKEN_ID --grace 60s",
      "  ./substrat token revoke TOKEN_ID",
      ""
    })
public final class TokenCommands {
  private final RootCommand shell;

  public TokenCommands(RootCommand shell) {
    this.shell = shell;
  }

  @Command(
      name = "create",
      description = "Create a token. It is printed once and cannot be shown again.",
      footer = {
        "  ./substrat token create --agent mira --label laptop",
        "  ./substrat token create --person ana",
        "  ./substrat token create --operator --json",
        "  ./substrat token create --operator --label prometheus --scope metrics:read",
        "  ./substrat token create --person ana --scope 'messages:send agent=mira' --expires 30d",
        "  ./substrat token create --zoo --default mira",
        "  ./substrat token create --zoo --agents mira,ada    # can list and load only these"
            + " agents",
        ""
      })
  void create(@Mixin TokenOptions options) {
    JsonNode token = shell.daemon().post(options.target(), options.body());
    shell.print(token, token.path("token").asText());
    options.printNotes(token, shell);
  }

  @Command(
      name = "list",
      description = "List tokens, without their secrets.",
      footer = {"  ./substrat token list", ""})
  public void list() {
    JsonNode list = shell.daemon().readAll("/api/tokens", "tokens");
    if (shell.printsJson(list)) {
      return;
    }
    JsonNode tokens = list.path("tokens");
    if (tokens.isEmpty()) {
      shell.line("no tokens yet; create a token: ./substrat token create --agent AGENT");
      return;
    }
    Map<String, String> handles = handles();
    var table =
        TextTable.of("ID", "FOR", "LABEL", "SCOPES", "CREATED", "ROTATED", "EXPIRES", "REVOKED");
    for (JsonNode token : tokens) {
      table.row(
          token.path("id").asText(),
          holder(token, handles),
          token.path("label").asText(""),
          scopes(token),
          RelativeTime.time(token.path("createdAt")),
          RelativeTime.time(token.path("rotatedAt")),
          RelativeTime.time(token.path("expiresAt")),
          RelativeTime.time(token.path("revokedAt")));
    }
    table.print(shell.terminal());
  }

  private static String scopes(JsonNode token) {
    return JsonTree.words(token.path("scopes"));
  }

  private static String holder(JsonNode token, Map<String, String> handles) {
    String holder = token.path("principal").asText();
    String standard = token.path("defaultAgent").asText("");
    return handles.getOrDefault(holder, holder)
        + seen(token.path("agents"), handles)
        + (standard.isEmpty() ? "" : ", default " + handles.getOrDefault(standard, standard));
  }

  private static String seen(JsonNode agents, Map<String, String> handles) {
    return agents.isEmpty()
        ? ""
        : agents
            .valueStream()
            .map(id -> handles.getOrDefault(id.asText(), id.asText()))
            .collect(Collectors.joining(", ", " (", ")"));
  }

  /// Handles of agents by id. A token whose agent is not listed is shown with the id.
  private Map<String, String> handles() {
    var handles = new HashMap<String, String>();
    for (JsonNode agent : shell.daemon().readAll("/api/agents", "agents").path("agents")) {
      handles.put(agent.path("id").asText(), agent.path("handle").asText());
    }
    return handles;
  }

  @Command(
      name = "rotate",
      description = "Replace a token with a new one. The new token is printed once.",
      footer = {
        "  ./substrat token rotate TOKEN_ID",
        "  ./substrat token rotate TOKEN_ID --grace 60s    # the old token works for another"
            + " minute",
        ""
      })
  void rotate(
      @Parameters(paramLabel = "TOKEN_ID", description = "Token id, from ./substrat token list.")
          String id,
      @Option(
              names = "--grace",
              paramLabel = "T",
              defaultValue = "0s",
              converter = DurationConverter.class,
              description = "Time for which the old token still works, at most 1h (default: 0s).")
          Duration grace) {
    JsonNode fresh =
        shell
            .daemon()
            .post(
                DaemonClient.path("/api/tokens/", id) + "/rotate",
                JsonTree.object().put("graceSeconds", grace.plusMillis(999).toSeconds()));
    shell.print(fresh, fresh.path("token").asText());
  }

  @Command(
      name = "revoke",
      description = "Revoke a token immediately.",
      footer = {"  ./substrat token revoke TOKEN_ID", ""})
  void revoke(
      @Parameters(paramLabel = "TOKEN_ID", description = "Token id, from ./substrat token list.")
          String id,
      @Option(
              names = "--yes",
              description = "Revoke the token even if this command authenticates with it.")
          boolean sure) {
    DaemonClient daemon = shell.daemon();
    if (!sure && daemon.usesToken(id)) {
      throw ErrorCode.CONFLICT.fault(
          "this command authenticates with that token; without it, commands fail until the daemon"
              + " restarts",
          "replace the token: ./substrat token rotate %s; to revoke the token anyway, add --yes"
              .formatted(id));
    }
    daemon.delete(DaemonClient.path("/api/tokens/", id));
    shell.print(JsonTree.object().put("revoked", id), "revoked " + id);
  }
}
