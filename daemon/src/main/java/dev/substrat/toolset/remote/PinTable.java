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

/// The rows of tools, and the number by which a change of them is noticed.
final class PinTable {
  private static final String SELECT =
      "select server, name, pinned, offered, verdict, listed from remote_tool ";

  private PinTable() {}

  /// In an order that never changes.
  static List<Pin> of(Tx tx, AgentId agent) {
    return tx.list(
        SELECT + "where agent_id = ? order by server, name", PinTable::pin, agent.value());
  }

  static List<Pin> of(Tx tx, AgentId agent, String server) {
    return tx.list(
        SELECT + "where agent_id = ? and server = ? order by name",
        PinTable::pin,
        agent.value(),
        server);
  }

  static Optional<Pin> find(Tx tx, AgentId agent, String server, String tool) {
    return tx.find(
        SELECT + "where agent_id = ? and server = ? and name = ?",
        PinTable::pin,
        agent.value(),
        server,
        tool);
  }

  private static Pin pin(ResultRow row) {
    String pinned = row.textOrNull("pinned");
    return new Pin(
        row.text("server"),
        row.text("name"),
        pinned == null ? null : definition(pinned),
        definition(row.text("offered")),
        Pin.Verdict.of(row.text("verdict")),
        row.integer("listed") == 1);
  }

  private static ToolDefinition definition(String text) {
    return new ToolDefinition((ObjectNode) Json.own(text));
  }

  /// Writes the row, whether or not there was one.
  static void put(Tx tx, AgentId agent, Pin pin, @Nullable String by, Instant now) {
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

  static void forget(Tx tx, AgentId agent, String server) {
    tx.update("delete from remote_tool where agent_id = ? and server = ?", agent.value(), server);
  }

  /// Something that the agent may see has changed.
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
