package dev.substrat.cli.access;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.cli.shell.RootCommand;
import dev.substrat.cli.shell.TerminalText;
import dev.substrat.cli.shell.TimespanText;
import dev.substrat.cli.wire.DaemonClient;
import dev.substrat.cli.wire.JsonTree;
import dev.substrat.protocol.ErrorCode;
import dev.substrat.protocol.Fault;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Option;

/// Options of `token create`: whose token it is and what limits it.
final class TokenOptions {
  @ArgGroup(exclusive = true, multiplicity = "1")
  private Holder holder = new Holder();

  @Option(names = "--label", paramLabel = "L", description = "To recognise it in the list.")
  private @Nullable String label;

  @Option(
      names = "--default",
      paramLabel = "A",
      description = "With --zoo: the agent that a fresh chat becomes.")
  private @Nullable String standard;

  @Option(
      names = "--agents",
      paramLabel = "A,B",
      split = ",",
      description = "With --zoo: the agents it may see; others do not exist for it (default: all).")
  private @Nullable List<String> agents;

  @Option(
      names = "--scope",
      paramLabel = "SCOPE",
      description =
          "Limits the token, such as agents:read or 'messages:send agent=mira'; repeatable"
              + " (default: all that the role includes).")
  private @Nullable List<String> scopes;

  @Option(
      names = "--expires",
      paramLabel = "T",
      converter = TimespanText.class,
      description = "How long it is valid, such as 12h or 30d (default: for ever).")
  private @Nullable Duration expires;

  /// Whose token: an agent's, a person's, one more for the operator, or a zoo client's. Exactly one
  /// of them.
  static final class Holder {
    @Option(
        names = "--agent",
        paramLabel = "A",
        required = true,
        description = "A token that acts as this agent.")
    private @Nullable String agent;

    @Option(
        names = "--person",
        paramLabel = "NAME",
        required = true,
        description = "A token for a person; a new name becomes a member.")
    private @Nullable String person;

    @Option(names = "--operator", required = true, description = "A token of the operator.")
    boolean operator;

    @Option(
        names = "--zoo",
        required = true,
        description = "A token that may look at agents and put one into a chat.")
    private boolean zoo;
  }

  String target() {
    return holder.agent == null
        ? "/api/tokens"
        : DaemonClient.path("/api/agents/", holder.agent) + "/tokens";
  }

  ObjectNode wish() {
    var wish = JsonTree.object();
    if (standard != null) {
      require(holder.zoo, "--default goes with --zoo");
      wish.put("defaultAgent", standard);
    }
    if (agents != null) {
      require(holder.zoo, "--agents goes with --zoo");
      agents.forEach(wish.putArray("agents")::add);
    }
    if (scopes != null) {
      require(holder.agent == null && !holder.zoo, "--scope goes with --operator or --person");
      scopes.forEach(wish.putArray("scopes")::add);
    }
    if (expires != null) {
      wish.put("expiresInSeconds", expires.plusMillis(999).toSeconds());
    }
    if (label != null) {
      wish.put("label", label);
    }
    if (holder.zoo) {
      wish.put("zoo", true);
    }
    if (holder.person != null) {
      wish.put("person", holder.person);
    }
    return wish;
  }

  private static void require(boolean isFitting, String message) {
    if (!isFitting) {
      throw new Fault(
          ErrorCode.INVALID_ARGUMENTS, message, "leave it out, or create a token of that kind");
    }
  }

  /// What whoever asked for the token may not expect.
  void comment(JsonNode token, RootCommand shell) {
    if (token.path("created").asBoolean()) {
      shell
          .screen()
          .note(
              "note: there was no person %s; there is now"
                  .formatted(TerminalText.line(token.path("person").asText())));
    }
    if (holder.agent != null) {
      warn(holder.agent, shell);
    }
  }

  /// The daemon runs the turns of all but external agents; nobody else may act for them.
  private static void warn(String agent, RootCommand shell) {
    JsonNode holder;
    try {
      holder = shell.daemon().read(DaemonClient.path("/api/agents/", agent));
    } catch (Fault _) {
      // Whoever may create tokens need not be allowed to read agents; the token is there.
      return;
    }
    if (!holder.path("provider").path("name").asText("external").equals("external")) {
      shell
          .screen()
          .note(
              "note: the daemon itself runs %s, so this token can only look (/api/status);"
                      .formatted(TerminalText.line(agent))
                  + " only agents with the provider external act with one");
    }
  }
}
