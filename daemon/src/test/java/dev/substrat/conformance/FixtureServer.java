package dev.substrat.conformance;

import dev.substrat.http.server.ClientTimeouts;
import dev.substrat.http.server.TestServer;
import dev.substrat.mcp.server.McpRoutes;
import dev.substrat.store.Database;
import dev.substrat.store.event.EventLog;
import dev.substrat.tool.pending.PendingCalls;
import java.nio.file.Path;
import java.time.InstantSource;

/// Our MCP server with the fixtures of the conformance suite. It needs no token, because the suite
/// has none.
public final class FixtureServer implements AutoCloseable {
  private final Database database;
  private final EventLog events;
  private final TestServer server;

  public FixtureServer(Path directory) {
    this(directory, ClientTimeouts.DEFAULT);
  }

  FixtureServer(Path directory, ClientTimeouts patience) {
    InstantSource clock = InstantSource.system();
    this.database = Database.embedded(directory.resolve("suite.db"), clock);
    this.events = new EventLog(database, clock);
    var fixtures = new Fixtures(database, new PendingCalls(database, events, clock));
    this.server = TestServer.openToAll(new McpRoutes(fixtures, "1", clock).routes(), patience);
  }

  public String url() {
    return server.url() + "/mcp";
  }

  @Override
  public void close() {
    server.close();
    events.close();
    database.close();
  }
}
