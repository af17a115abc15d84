package dev.substrat.mcp.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.substrat.http.server.RawClient;
import dev.substrat.server.TestClient;
import dev.substrat.store.Dialect;
import dev.substrat.store.TestDatabase;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Many clients at the same time: each is served, and none leaves resources.
@Timeout(600)
final class ManySessionsTest {
  private static final int CROWD = 1_000;
  private static final int CONNECTS = Boolean.getBoolean("substrat.full") ? 10_000 : 1_000;
  private static final String FOLLOWING = "dev.substrat.mcp.server.ChangeStream.follow";

  private final TestDatabase place = TestDatabase.fresh(Dialect.SQLITE);
  private McpTeam team;

  /// Sessions of closed servers of other tests that were not collected yet.
  private long strangers;

  @BeforeEach
  void start() {
    strangers = LeakProbe.objects(McpSession.class);
    team = new McpTeam(place);
  }

  @AfterEach
  void close() throws IOException {
    team.close();
    place.close();
  }

  @Test
  void a_thousand_concurrent_sessions_are_all_notified_and_cleaned_up() throws Exception {
    TestClient ada = team.client("ada");
    long before = LeakProbe.sockets(team.daemon.url());
    var sessions = new ArrayList<String>();
    var streams = new ArrayList<RawClient>();
    for (int i = 0; i < CROWD; i++) {
      String session = begin(ada);
      post(ada, session, "resources/subscribe", "{\"uri\":\"substrat://inbox\"}");
      var stream = new RawClient(team.daemon.url());
      stream.send(get(ada, session));
      stream.until(": listening\n");
      sessions.add(session);
      streams.add(stream);
    }
    assertThat(LeakProbe.threads(FOLLOWING)).isEqualTo(CROWD);
    assertThat(LeakProbe.objects(McpSession.class)).isGreaterThanOrEqualTo(CROWD);

    team.daemon.post("/api/agents/ada/messages", "{\"text\":\"all hands\"}");
    for (RawClient stream : streams) {
      stream.until("notifications/resources/updated");
    }

    leave(ada, sessions, streams);
    LeakProbe.secondsUntil(() -> LeakProbe.sockets(team.daemon.url()), before + 1, 30);
    LeakProbe.secondsUntil(() -> LeakProbe.threads(FOLLOWING), 0, 10);
    assertThat(LeakProbe.objects(Class.forName("dev.substrat.server.mcp.ChangeFeed$UnsentChanges")))
        .isZero();
    assertThat(LeakProbe.objects(McpSession.class))
        .as("sessions that may be resumed")
        .isBetween(CROWD / 2L, CROWD / 2 + strangers);
  }

  /// Half of them close their session.
  private static void leave(TestClient ada, List<String> sessions, List<RawClient> streams) {
    for (int i = 0; i < CROWD; i += 2) {
      assertThat(ada.send("DELETE", "/mcp", "", "Mcp-Session-Id", sessions.get(i)).status())
          .isEqualTo(204);
    }
    for (int i = 0; i < CROWD; i += 2) {
      streams.get(i).until("0\r\n\r\n");
    }
    streams.forEach(RawClient::close);
  }

  @Test
  void closed_sessions_leave_no_resources() {
    TestClient ada = team.client("ada");
    comeAndGo(ada);
    long descriptors = LeakProbe.descriptors();
    for (int i = 0; i < CONNECTS; i++) {
      comeAndGo(ada);
    }

    // The last one's stream may take a moment to end.
    LeakProbe.secondsUntil(LeakProbe::descriptors, descriptors + 2, 10);
    LeakProbe.secondsUntil(() -> LeakProbe.threads(FOLLOWING), 0, 10);
    assertThat(LeakProbe.objects(McpSession.class)).isLessThanOrEqualTo(strangers);
  }

  private void comeAndGo(TestClient ada) {
    String session = begin(ada);
    post(ada, session, "logging/setLevel", "{\"level\":\"error\"}");
    try (var stream = new RawClient(team.daemon.url())) {
      stream.send(get(ada, session));
      stream.until(": listening\n");
    }
    ada.send("DELETE", "/mcp", "", "Mcp-Session-Id", session);
  }

  private static String begin(TestClient client) {
    return client
        .post("/mcp", McpTeam.request("initialize", "{\"protocolVersion\":\"2025-06-18\"}"))
        .header("Mcp-Session-Id");
  }

  private static void post(TestClient client, String session, String method, String params) {
    var answer = client.post("/mcp", McpTeam.request(method, params), "Mcp-Session-Id", session);
    assertThat(answer.body().has("result")).as("%s", answer.body()).isTrue();
  }

  private static String get(TestClient client, String session) {
    return "GET /mcp HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream\r\nAuthorization: Bearer "
        + client.token()
        + "\r\nMcp-Session-Id: "
        + session
        + "\r\n\r\n";
  }
}
