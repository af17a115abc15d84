package dev.substrat.cli.access;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.cli.client.DaemonClient;
import dev.substrat.cli.client.JsonTree;
import dev.substrat.cli.terminal.DurationConverter;
import dev.substrat.cli.terminal.RootCommand;
import dev.substrat.cli.terminal.TerminalText;
import dev.substrat.protocol.ErrorCode;
import dev.substrat.protocol.Fault;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Option;

/// Options of `token create`: the holder of the token and its limits.
final class TokenOptions {
  @ArgGroup(exclusive = true, multiplicity = "1")
  private TokenHolderOptions holder = new TokenHolderOptions();

  @Option(
      names = "--label",
      paramLabel = "L",
      description = "Label of the token, shown in ./substrat token list.")
  private @Nullable String label;

  @Option(
      names = "--default",
      paramLabel = "A",
      description = "With --zoo: agent that a new chat starts with.")
  private @Nullable String standard;

  @Option(
      names = "--agents",
      paramLabel = "A,B",
      split = ",",
      description = "With --zoo: agents that the client can list and load (default: all).")
  private @Nullable List<String> agents;

  @Option(
      names = "--scope",
      paramLabel = "SCOPE",
      description =
          "Permission, such as agents:read or 'messages:send agent=mira'; repeatable"
              + " (default: all permissions of the role).")
  private @Nullable List<String> scopes;

  @Option(
      names = "--expires",
      paramLabel = "T",
      converter = DurationConverter.class,
      description = "Lifetime, such as 12h or 30d (default: does not expire).")
  private @Nullable Duration expires;

  /// Holder of the token: exactly one of agent, person, operator and zoo client.
  static final class TokenHolderOptions {
    @Option(
        names = "--agent",
        paramLabel = "A",
        required = true,
        description = "Token for an external agent.")
    private @Nullable String agent;

    @Option(
        names = "--person",
        paramLabel = "NAME",
        required = true,
        description = "Token for a person; creates a person with role member if the name is new.")
    private @Nullable String person;

    @Option(names = "--operator", required = true, description = "Token for the operator.")
    boolean operator;

    @Option(
        names = "--zoo",
        required = true,
        description =
            "Token for a zoo client: an MCP client that loads an agent's prompt into its chat. It"
                + " cannot change agents, only their brain entries.")
    private boolean zoo;
  }

  String target() {
    return holder.agent == null
        ? "/api/tokens"
        : DaemonClient.path("/api/agents/", holder.agent) + "/tokens";
  }

  ObjectNode body() {
    var body = JsonTree.object();
    if (standard != null) {
      require(holder.zoo, "--default needs --zoo");
      body.put("defaultAgent", standard);
    }
    if (agents != null) {
      require(holder.zoo, "--agents needs --zoo");
      agents.forEach(body.putArray("agents")::add);
    }
    if (scopes != null) {
      require(holder.agent == null && !holder.zoo, "--scope needs --operator or --person");
      scopes.forEach(body.putArray("scopes")::add);
    }
    if (expires != null) {
      body.put("expiresInSeconds", expires.plusMillis(999).toSeconds());
    }
    JsonTree.putIfGiven(body, "label", label);
    if (holder.zoo) {
      body.put("zoo", true);
    }
    JsonTree.putIfGiven(body, "person", holder.person);
    return body;
  }

  private static void require(boolean isFitting, String message) {
    if (!isFitting) {
      throw ErrorCode.INVALID_ARGUMENTS.fault(
          message, "remove the option, or add the option that it needs");
    }
  }

  /// Prints notes about side effects and limits of the new token.
  void printNotes(JsonNode token, RootCommand shell) {
    if (token.path("created").asBoolean()) {
      shell.note(
          "note: created person %s".formatted(TerminalText.line(token.path("person").asText())));
    }
    if (holder.agent != null) {
      warn(holder.agent, shell);
    }
  }

  /// Only external agents act with a token; the daemon runs the turns of all others.
  private static void warn(String agent, RootCommand shell) {
    JsonNode holder;
    try {
      holder = shell.daemon().read(DaemonClient.path("/api/agents/", agent));
    } catch (Fault _) {
      // A caller with tokens:write may lack agents:read. The token has been created.
      return;
    }
    if (!holder.path("provider").path("name").asText("external").equals("external")) {
      shell.note(
          "note: %s is not an external agent, so its token can only read /api/status;"
                  .formatted(TerminalText.line(agent))
              + " to use tools with a token, create an agent with --provider external");
    }
  }
}
