package dev.substrat.toolset.remote;

import com.fasterxml.jackson.databind.JsonNode;
import dev.substrat.platform.json.Json;
import dev.substrat.store.ResultRow;
import dev.substrat.store.Tx;
import dev.substrat.team.toolconfig.McpServerConfig;
import java.util.ArrayList;
import java.util.Optional;

/// A server program as a person approved it, for comparison with its current configuration.
record ApprovedProgram(JsonNode command, JsonNode env, boolean hasNetwork, JsonNode paths) {

  /// Description of a program that is not approved.
  static String unapproved(
      Tx tx, McpServerConfig server, Optional<ServerTable.ServerState> standing) {
    String refusal =
        standing
            .filter(one -> one.state().equals("unapproved"))
            .map(ServerTable.ServerState::problem)
            .orElse("the program is not approved yet");
    return standing
        .flatMap(one -> find(tx, one.address()))
        .map(before -> refusal + "; " + before.difference(server))
        .orElse(refusal);
  }

  /// The program that was started when the server was last connected.
  private static Optional<ApprovedProgram> find(Tx tx, String hash) {
    return tx.find(
        """
        select command, env, network, coalesce(paths, '[]') as paths from remote_command
        where hash = ? and env is not null
        """,
        ApprovedProgram::of,
        hash);
  }

  private static ApprovedProgram of(ResultRow row) {
    return new ApprovedProgram(
        Json.own(row.text("command")),
        Json.own(row.text("env")),
        row.integer("network") == 1,
        Json.own(row.text("paths")));
  }

  private String difference(McpServerConfig server) {
    var changed = new ArrayList<String>();
    if (!command.equals(Json.tree(ServerAddressResolver.command(server)))) {
      changed.add("the command was " + Json.text(command));
    }
    if (!env.equals(Json.tree(ServerAddressResolver.env(server)))) {
      changed.add("the environment was " + Json.text(env));
    }
    if (hasNetwork != ServerAddressResolver.hasNetwork(server)) {
      changed.add(hasNetwork ? "it had network access" : "it had no network access");
    }
    if (!paths.equals(Json.tree(server.pathsOrNone()))) {
      changed.add(paths.isEmpty() ? "it had no paths" : "its paths were " + Json.text(paths));
    }
    return "it was approved when " + String.join(" and ", changed);
  }
}
