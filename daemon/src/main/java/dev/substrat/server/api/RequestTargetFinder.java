package dev.substrat.server.api;

import dev.substrat.platform.identity.AccessTarget;
import dev.substrat.platform.identity.Principal;
import dev.substrat.store.Database;
import dev.substrat.store.ResultRow;
import dev.substrat.store.Tx;
import dev.substrat.team.AgentTree;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Finds the agent and the space that a request is about, for tokens whose scopes are limited to
/// some.
///
/// Only complete names match: a name that a route would complete or guess has no target here, so a
/// limited token is rejected rather than allowed.
public final class RequestTargetFinder implements AccessTarget.TargetFinder {
  private final Database database;

  public RequestTargetFinder(Database database) {
    this.database = database;
  }

  @Override
  public AccessTarget find(String collection, String name) {
    return switch (collection) {
      case "agents", "team", "workspaces" ->
          database.read(tx ->
              AgentTree.find(tx, name)
                  .map(agent -> new AccessTarget(agent.id().value(), null))
                  .orElse(AccessTarget.NONE));
      case "spaces" -> new AccessTarget(null, name);
      case "runs" ->
          row(
              "select agent_id as agent, null as space from run where id = ?",
              RequestTargetFinder::target,
              name);
      case "pending", "approvals" ->
          row(
              "select owner as agent, space_id as space from pending_call where id = ?",
              RequestTargetFinder::target,
              name);
      case "messages", "mail" -> database.read(tx -> message(tx, name));
      default -> AccessTarget.NONE;
    };
  }

  /// A message in a space belongs to the space, one between the operator and an agent to the agent;
  /// one between two agents to neither alone.
  private static AccessTarget message(Tx tx, String id) {
    return tx.find(
            "select sender, recipient from message where id = ?", RequestTargetFinder::partner, id)
        .or(() ->
            tx.find(
                "select null as agent, space_id as space from space_message where id = ?",
                RequestTargetFinder::target,
                id))
        .orElse(AccessTarget.NONE);
  }

  private static AccessTarget partner(ResultRow row) {
    String[] agents =
        Stream.of(row.text("sender"), row.text("recipient"))
            .filter(one -> !one.equals(Principal.OPERATOR_NAME))
            .toArray(String[]::new);
    return agents.length == 1 ? new AccessTarget(agents[0], null) : AccessTarget.NONE;
  }

  private AccessTarget row(String sql, ResultRow.RowMapper<AccessTarget> mapper, String id) {
    return database.read(tx -> tx.find(sql, mapper, id).orElse(AccessTarget.NONE));
  }

  private static AccessTarget target(ResultRow row) {
    @Nullable String agent = row.textOrNull("agent");
    return new AccessTarget(agent, row.textOrNull("space"));
  }
}
