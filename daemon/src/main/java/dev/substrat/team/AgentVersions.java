package dev.substrat.team;

import dev.substrat.platform.identity.AgentId;
import dev.substrat.platform.identity.Principal;
import dev.substrat.platform.identity.RequestActor;
import dev.substrat.platform.json.Json;
import dev.substrat.protocol.ErrorCode;
import dev.substrat.store.ResultRow;
import dev.substrat.store.Tx;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Version history of agent configurations: each configuration, its author and time.
public final class AgentVersions {
  /// Older versions are deleted.
  static final int KEPT = 200;

  private static final String SELECT =
      "select version, at, author, config from agent_version where agent_id = ? ";

  private AgentVersions() {}

  /// One version; the first has the number 1.
  public record AgentVersion(long number, Instant at, String author, AgentConfig config) {}

  /// Newest first.
  public static List<AgentVersion> list(Tx tx, AgentId agent, int limit) {
    return tx.list(
        SELECT + "order by version desc limit ?", AgentVersions::version, agent.value(), limit);
  }

  public static AgentVersion require(Tx tx, Agent agent, long number) {
    return tx.find(SELECT + "and version = ?", AgentVersions::version, agent.id().value(), number)
        .orElseThrow(() ->
            ErrorCode.NOT_FOUND.fault(
                "version %d of %s not found".formatted(number, agent.handle()),
                "list versions with: GET /api/agents/%s/versions".formatted(agent.handle())));
  }

  /// An agent came to be: by a person, or by `parent` in one of its turns.
  static void first(Tx tx, AgentId agent, AgentConfig config, @Nullable Agent parent, Instant now) {
    String author = parent == null ? RequestActor.currentKey() : parent.id().value();
    keep(tx, agent, config, author, now);
  }

  /// A person made it different.
  static void next(Tx tx, Agent agent, AgentConfig before, AgentConfig after, Instant now) {
    if (newest(tx, agent.id()) == 0) {
      // The agent is older than the version history.
      keep(tx, agent.id(), before, Principal.OPERATOR_NAME, agent.createdAt());
    }
    keep(tx, agent.id(), after, RequestActor.currentKey(), now);
  }

  private static void keep(Tx tx, AgentId agent, AgentConfig config, String author, Instant now) {
    long newest = newest(tx, agent);
    tx.update(
        "insert into agent_version (agent_id, version, at, author, config) values (?, ?, ?, ?, ?)",
        agent.value(),
        newest + 1,
        now,
        author,
        Json.text(config));
    tx.update(
        "delete from agent_version where agent_id = ? and version <= ?",
        agent.value(),
        newest + 1 - KEPT);
  }

  /// The number of the last one; 0 for agents that are older than versions and have not changed.
  private static long newest(Tx tx, AgentId agent) {
    return tx.number(
        "select coalesce(max(version), 0) as n from agent_version where agent_id = ?",
        agent.value());
  }

  private static AgentVersion version(ResultRow row) {
    return new AgentVersion(
        row.number("version"),
        row.instant("at"),
        row.text("author"),
        Json.as(Json.own(row.text("config")), AgentConfig.class));
  }
}
