package dev.substrat.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.cli.shell.Clock;
import dev.substrat.cli.shell.Plain;
import dev.substrat.cli.shell.Shell;
import dev.substrat.cli.shell.Table;
import dev.substrat.cli.shell.Timespan;
import dev.substrat.cli.wire.Daemon;
import dev.substrat.cli.wire.Json;
import dev.substrat.fault.Fault;
import dev.substrat.protocol.ErrorCode;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// Tokens: what lets an agent, a person, another operator or a visitor of the zoo in.
@Command(
    description = "Let agents and people in: create, list, rotate, revoke.",
    footer = {
      "  ./substrat token create --agent mira",
      "  ./substrat token create --person ana",
      "  ./substrat token list",
      "  ./substrat token rotate TOKEN_ID --grace 60s",
      "  ./substrat token revoke TOKEN_ID",
      ""
    })
final class TokenCommands {
  private final Shell shell;

  TokenCommands(Shell shell) {
    this.shell = shell;
  }

  /// Whose token: an agent's, a person's, one more for the operator, or a visitor's. Exactly one of
  /// them.
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
        description = "A token for a person, who talks in spaces; a new name is let in.")
    private @Nullable String person;

    @Option(names = "--operator", required = true, description = "A token that may do everything.")
    boolean operator;

    @Option(
        names = "--zoo",
        required = true,
        description = "A token that may look at agents and put one into a chat.")
    boolean zoo;

    ObjectNode wish(
        @Nullable String label, @Nullable String standard, @Nullable List<String> agents) {
      var wish = Json.object();
      if (standard != null) {
        requireZoo("--default");
        wish.put("defaultAgent", standard);
      }
      if (agents != null) {
        requireZoo("--agents");
        agents.forEach(wish.putArray("agents")::add);
      }
      if (label != null) {
        wish.put("label", label);
      }
      if (zoo) {
        wish.put("zoo", true);
      }
      if (person != null) {
        wish.put("person", person);
      }
      return wish;
    }

    private void requireZoo(String option) {
      if (!zoo) {
        throw new Fault(
            ErrorCode.INVALID_ARGUMENTS,
            option + " goes with --zoo",
            "it is for tokens of the zoo only: leave it out, or take --zoo");
      }
    }

    /// What whoever asked for the token may not expect.
    void comment(JsonNode token, Shell shell) {
      if (token.path("created").asBoolean()) {
        shell
            .screen()
            .note(
                "note: there was no person %s; there is now"
                    .formatted(Plain.line(token.path("person").asText())));
      }
      if (agent != null) {
        warn(agent, shell);
      }
    }

    /// The daemon runs the turns of all but external agents; nobody else may act for them.
    private static void warn(String agent, Shell shell) {
      JsonNode holder = shell.daemon().read(Daemon.path("/api/agents/", agent));
      if (!holder.path("provider").path("name").asText("external").equals("external")) {
        shell
            .screen()
            .note(
                "note: the daemon itself runs %s, so this token can only look (/api/status);"
                        .formatted(Plain.line(agent))
                    + " only agents with the provider external act with one");
      }
    }

    String target() {
      return agent == null ? "/api/tokens" : Daemon.path("/api/agents/", agent) + "/tokens";
    }
  }

  @Command(
      name = "create",
      description = "Make a token. It is printed once and cannot be shown again.",
      footer = {
        "  ./substrat token create --agent mira --label laptop",
        "  ./substrat token create --person ana",
        "  ./substrat token create --operator --json",
        "  ./substrat token create --zoo --default mira",
        "  ./substrat token create --zoo --agents mira,ada    # sees these agents only",
        ""
      })
  void create(
      @ArgGroup(exclusive = true, multiplicity = "1") Holder holder,
      @Option(names = "--label", paramLabel = "L", description = "To recognise it in the list.")
          @Nullable String label,
      @Option(
              names = "--default",
              paramLabel = "A",
              description = "With --zoo: the agent that a fresh chat becomes.")
          @Nullable String standard,
      @Option(
              names = "--agents",
              paramLabel = "A,B",
              split = ",",
              description =
                  "With --zoo: the agents it may see; others do not exist for it"
                      + " (default: all).")
          @Nullable List<String> agents) {
    JsonNode token = shell.daemon().post(holder.target(), holder.wish(label, standard, agents));
    if (shell.wantsJson()) {
      shell.screen().json(token);
    } else {
      shell.screen().line(token.path("token").asText());
    }
    holder.comment(token, shell);
  }

  @Command(
      name = "list",
      description = "All tokens, without their secrets.",
      footer = {"  ./substrat token list", ""})
  void list() {
    JsonNode list = shell.daemon().readAll("/api/tokens", "tokens");
    if (shell.wantsJson()) {
      shell.screen().json(list);
      return;
    }
    JsonNode tokens = list.path("tokens");
    if (tokens.isEmpty()) {
      shell.screen().line("no tokens yet; make one: ./substrat token create --agent AGENT");
      return;
    }
    Map<String, String> handles = handles();
    var table = Table.of("ID", "FOR", "LABEL", "CREATED", "ROTATED", "EXPIRES", "REVOKED");
    for (JsonNode token : tokens) {
      table.row(
          token.path("id").asText(),
          holder(token, handles),
          token.path("label").asText(""),
          Clock.time(token.path("createdAt")),
          Clock.time(token.path("rotatedAt")),
          Clock.time(token.path("expiresAt")),
          Clock.time(token.path("revokedAt")));
    }
    table.print(shell.screen());
  }

  private static String holder(JsonNode token, Map<String, String> handles) {
    String holder = token.path("principal").asText();
    String standard = token.path("defaultAgent").asText("");
    return handles.getOrDefault(holder, holder)
        + seen(token.path("agents"), handles)
        + (standard.isEmpty() ? "" : ", by default " + handles.getOrDefault(standard, standard));
  }

  private static String seen(JsonNode agents, Map<String, String> handles) {
    return agents.isEmpty()
        ? ""
        : agents
            .valueStream()
            .map(id -> handles.getOrDefault(id.asText(), id.asText()))
            .collect(Collectors.joining(", ", " (", ")"));
  }

  /// Agents by id. A token whose agent is not among them is shown with the id it has.
  private Map<String, String> handles() {
    var handles = new HashMap<String, String>();
    for (JsonNode agent : shell.daemon().readAll("/api/agents", "agents").path("agents")) {
      handles.put(agent.path("id").asText(), agent.path("handle").asText());
    }
    return handles;
  }

  @Command(
      name = "rotate",
      description = "Make a new token in place of an old one. It is printed once.",
      footer = {
        "  ./substrat token rotate TOKEN_ID",
        "  ./substrat token rotate TOKEN_ID --grace 60s    # the old one works for another minute",
        ""
      })
  void rotate(
      @Parameters(paramLabel = "TOKEN_ID", description = "From ./substrat token list.") String id,
      @Option(
              names = "--grace",
              paramLabel = "T",
              defaultValue = "0s",
              converter = Timespan.class,
              description = "How long the old one still works, at most 1h (default: not at all).")
          Duration grace) {
    JsonNode fresh =
        shell
            .daemon()
            .post(
                Daemon.path("/api/tokens/", id) + "/rotate",
                Json.object().put("graceSeconds", grace.plusMillis(999).toSeconds()));
    if (shell.wantsJson()) {
      shell.screen().json(fresh);
    } else {
      shell.screen().line(fresh.path("token").asText());
    }
  }

  @Command(
      name = "revoke",
      description = "Make a token worthless, at once.",
      footer = {"  ./substrat token revoke TOKEN_ID", ""})
  void revoke(
      @Parameters(paramLabel = "TOKEN_ID", description = "From ./substrat token list.") String id,
      @Option(names = "--yes", description = "Also if it is the one this command uses.")
          boolean sure) {
    Daemon daemon = shell.daemon();
    if (!sure && daemon.uses(id)) {
      throw new Fault(
          ErrorCode.CONFLICT,
          "this is the token you are using: without it no command works until the daemon restarts",
          "./substrat token rotate %s replaces it; add --yes to revoke it all the same"
              .formatted(id));
    }
    daemon.delete(Daemon.path("/api/tokens/", id));
    if (shell.wantsJson()) {
      shell.screen().json(Json.object().put("revoked", id));
    } else {
      shell.screen().line("revoked " + id);
    }
  }
}
