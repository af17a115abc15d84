package dev.substrat.cli.connect;

import com.fasterxml.jackson.databind.JsonNode;
import dev.substrat.cli.client.DaemonClient;
import dev.substrat.cli.terminal.RootCommand;
import dev.substrat.protocol.ErrorCode;
import dev.substrat.protocol.Fault;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Principal that a client acts as.
sealed interface ConnectPrincipal {

  /// An external agent.
  record AgentPrincipal(String id, String handle) implements ConnectPrincipal {}

  /// A zoo client, with an optional default agent.
  record ZooPrincipal(@Nullable AgentPrincipal standard) implements ConnectPrincipal {}

  /// A zoo client with this default agent. The agent may have any provider.
  static ConnectPrincipal zoo(String name, RootCommand shell) {
    JsonNode agent = shell.daemon().read(DaemonClient.path("/api/agents/", name));
    return new ZooPrincipal(
        new AgentPrincipal(agent.path("id").asText(), agent.path("handle").asText(name)));
  }

  /// The agent with that name or id. A fault if it is not external.
  static ConnectPrincipal agent(String name, RootCommand shell) {
    JsonNode agent;
    try {
      agent = shell.daemon().read(DaemonClient.path("/api/agents/", name));
    } catch (Fault fault) {
      throw fault.code() == ErrorCode.AGENT_NOT_FOUND ? missing(name, shell, fault) : fault;
    }
    String provider = agent.path("provider").path("name").asText();
    if (!provider.equals("external")) {
      throw ErrorCode.CONFLICT.fault(
          "%s is run by the daemon (provider %s); only external agents can be connected"
              .formatted(name, provider),
          "create an external agent: " + shell.command("agent create NAME --provider external"));
    }
    return new AgentPrincipal(agent.path("id").asText(), agent.path("handle").asText(name));
  }

  private static Fault missing(String name, RootCommand shell, Fault cause) {
    // The hint may be copied into a shell, so only plain names are repeated.
    String word = name.matches("[A-Za-z0-9_-]+") ? name : "NAME";
    return ErrorCode.AGENT_NOT_FOUND.fault(
        "agent %s not found".formatted(name),
        "create it: " + shell.command("agent create %s --provider external".formatted(word)),
        cause);
  }

  default String displayName() {
    return switch (this) {
      case AgentPrincipal agent -> agent.handle();
      case ZooPrincipal(var standard) ->
          standard == null ? "the zoo" : "the zoo, default agent " + standard.handle();
    };
  }

  /// Arguments of the bridge.
  default List<String> arguments() {
    return switch (this) {
      case AgentPrincipal agent -> List.of("--agent", agent.handle());
      case ZooPrincipal(var standard) ->
          standard == null ? List.of("--zoo") : List.of("--zoo", "--default", standard.handle());
    };
  }

  /// The principal as `token list` shows it.
  default String tokenPrincipal() {
    return switch (this) {
      case AgentPrincipal agent -> agent.id();
      case ZooPrincipal _ -> "zoo";
    };
  }
}
