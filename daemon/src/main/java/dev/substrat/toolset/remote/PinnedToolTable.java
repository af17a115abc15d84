package dev.substrat.toolset.remote;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.mcp.client.ToolDefinition;
import dev.substrat.platform.identity.AgentId;
import dev.substrat.platform.json.Json;
import dev.substrat.store.ResultRow;
import dev.substrat.store.Tx;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The table of pinned tools, and the counter by which changes are noticed.
final class PinnedToolTable {
  private static final String SELECT =
      "select server, name, pinned, offered, verdict, listed from remote_tool ";

  private PinnedToolTable() {}

  /// In a stable order.
  static List<PinnedTool> of(Tx tx, AgentId agent) {
    return tx.list(
        SELECT + "where agent_id = ? order by server, name", PinnedToolTable::pin, agent.value());
  }

  static List<PinnedTool> of(Tx tx, AgentId agent, String server) {
    return tx.list(
        SELECT + "where agent_id = ? and server = ? order by name",
        PinnedToolTable::pin,
        agent.value(),
        server);
  }

  static Optional<PinnedTool> find(Tx tx, AgentId agent, String server, String tool) {
    return tx.find(
        SELECT + "where agent_id = ? and server = ? and name = ?",
        PinnedToolTable::pin,
        agent.value(),
        server,
        tool);
  }

  private static PinnedTool pin(ResultRow row) {
    String pinned = row.textOrNull("pinned");
    return new PinnedTool(
        row.text("server"),
        row.text("name"),
        pinned == null ? null : definition(pinned),
        definition(row.text("offered")),
        PinnedTool.PinDecision.of(row.text("verdict")),
        row.integer("listed") == 1);
  }

  private static ToolDefinition definition(String text) {
    return new ToolDefinition((ObjectNode) Json.own(text));
  }

  /// Inserts or updates the row.
  static void put(Tx tx, AgentId agent, PinnedTool pin, @Nullable String by, Instant now) {
    ToolDefinition pinned = pin.pinned();
    tx.update(
        """
        insert into remote_tool
          (agent_id, server, name, pinned, offered, verdict, listed, decided_by, decided_at)
        values (?, ?, ?, ?, ?, ?, ?, ?, ?)
        on conflict (agent_id, server, name) do update set
          pinned = excluded.pinned, offered = excluded.offered, verdict = excluded.verdict,
          listed = excluded.listed, decided_by = excluded.decided_by,
          decided_at = excluded.decided_at
        """,
        agent.value(),
        pin.server(),
        pin.tool(),
        pinned == null ? null : Json.text(pinned.json()),
        Json.text(pin.offered().json()),
        pin.verdict().word(),
        pin.isListed() ? 1 : 0,
        by,
        by == null ? null : now);
  }

  static void delete(Tx tx, AgentId agent, String server) {
    tx.update("delete from remote_tool where agent_id = ? and server = ?", agent.value(), server);
  }

  /// Marks that the agent's visible tools have changed.
  static void touch(Tx tx, AgentId agent) {
    tx.update(
        """
        insert into remote_view (agent_id, revision) values (?, 1)
        on conflict (agent_id) do update set revision = remote_view.revision + 1
        """,
        agent.value());
  }

  static long revision(Tx tx, AgentId agent) {
    return tx.number(
        "select coalesce(max(revision), 0) as n from remote_view where agent_id = ?",
        agent.value());
  }
}
