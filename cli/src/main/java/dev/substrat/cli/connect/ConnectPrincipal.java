package dev.substrat.cli.connect;

import com.fasterxml.jackson.databind.JsonNode;
import dev.substrat.cli.shell.RootCommand;
import dev.substrat.cli.wire.DaemonClient;
import dev.substrat.protocol.ErrorCode;
import dev.substrat.protocol.Fault;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// As whom a client will act.
sealed interface ConnectPrincipal {

  /// One whose mind is elsewhere: in the client.
  record OfAgent(String id, String handle) implements ConnectPrincipal {}

  /// Whoever may look at all agents and put one into a chat; with one that is taken unless the
  /// person wants another.
  record Zoo(@Nullable OfAgent standard) implements ConnectPrincipal {}

  /// A visitor in a workspace that is meant for this agent, whoever thinks for it here.
  static ConnectPrincipal zoo(String name, RootCommand shell) {
    JsonNode agent = shell.daemon().read(DaemonClient.path("/api/agents/", name));
    return new Zoo(new OfAgent(agent.path("id").asText(), agent.path("handle").asText(name)));
  }

  /// The agent of that name or id, if it is one that a client can be.
  static ConnectPrincipal agent(String name, RootCommand shell) {
    JsonNode agent;
    try {
      agent = shell.daemon().read(DaemonClient.path("/api/agents/", name));
    } catch (Fault fault) {
      throw fault.code() == ErrorCode.AGENT_NOT_FOUND ? missing(name, shell, fault) : fault;
    }
    String provider = agent.path("provider").path("name").asText();
    if (!provider.equals("external")) {
      throw new Fault(
          ErrorCode.CONFLICT,
          "%s is run by the daemon (provider %s); only external agents can be connected"
              .formatted(name, provider),
          "make one that thinks elsewhere: "
              + shell.command("agent create NAME --provider external"));
    }
    return new OfAgent(agent.path("id").asText(), agent.path("handle").asText(name));
  }

  private static Fault missing(String name, RootCommand shell, Fault cause) {
    // What is copied into a shell must not mean anything else there.
    String word = name.matches("[A-Za-z0-9_-]+") ? name : "NAME";
    return new Fault(
        ErrorCode.AGENT_NOT_FOUND,
        "there is no agent " + name,
        "make one: " + shell.command("agent create %s --provider external".formatted(word)),
        cause);
  }

  default String word() {
    return switch (this) {
      case OfAgent agent -> agent.handle();
      case Zoo(var standard) ->
          standard == null ? "the zoo" : "the zoo, by default " + standard.handle();
    };
  }

  /// What the bridge is told at its start.
  default List<String> arguments() {
    return switch (this) {
      case OfAgent agent -> List.of("--agent", agent.handle());
      case Zoo(var standard) ->
          standard == null ? List.of("--zoo") : List.of("--zoo", "--default", standard.handle());
    };
  }

  /// Who a token of this principal is listed for.
  default String listed() {
    return switch (this) {
      case OfAgent agent -> agent.id();
      case Zoo _ -> "zoo";
    };
  }
}
