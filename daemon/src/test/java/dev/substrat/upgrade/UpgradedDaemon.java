package dev.substrat.upgrade;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.substrat.platform.config.DaemonSettings;
import dev.substrat.platform.json.Json;
import dev.substrat.platform.json.Yaml;
import dev.substrat.server.Daemon;
import dev.substrat.server.TestClient;
import dev.substrat.testkit.Await;
import dev.substrat.testkit.SettableClock;
import java.io.IOException;
import java.nio.file.Files;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// A daemon on a copy of a fixture, with a clock that the test moves.
final class UpgradedDaemon implements AutoCloseable {
  private final Fixture.Copy copy;
  private final SettableClock clock;
  private final Daemon daemon;
  private final TestClient operator;

  UpgradedDaemon(Fixture.Copy copy, Instant now) throws IOException {
    this.copy = copy;
    this.clock = new SettableClock(now);
    var settings =
        new DaemonSettings(
            "127.0.0.1", 0, copy.directory(), copy.url().orElse(null), 4, "error", Set.of());
    this.daemon = Daemon.start(settings, Map.of(), new Daemon.DaemonClock(clock, _ -> {}));
    this.operator =
        new TestClient(
            daemon.url(), Files.readString(copy.directory().resolve("operator.token")).strip());
  }

  JsonNode get(String path) {
    return require(operator.get(path));
  }

  JsonNode post(String path, String yaml) {
    return require(operator.post(path, Json.text(Yaml.own(yaml))));
  }

  TestClient external(String agent) {
    return new TestClient(
        daemon.url(), post("/api/agents/" + agent + "/tokens", "{}").path("token").asText());
  }

  JsonNode checkInbox(TestClient agent) {
    return call(agent, "check_inbox", "{}").path("messages");
  }

  /// Lets an external agent of mira's read its inbox and answer the question with this text.
  void reply(TestClient agent, String question) {
    for (JsonNode message : checkInbox(agent)) {
      if (message.path("text").asText().equals(question)) {
        call(
            agent,
            "send_message",
            "{ recipient: mira, text: \"eva answers %s\", in_reply_to: \"%s\" }"
                .formatted(question, message.path("message_id").asText()));
        return;
      }
    }
    throw new AssertionError("not in the inbox: " + question);
  }

  private static JsonNode call(TestClient agent, String tool, String arguments) {
    String request =
        "{ jsonrpc: \"2.0\", id: 1, method: tools/call, params: { name: %s, arguments: %s } }"
            .formatted(tool, arguments);
    JsonNode result = require(agent.post("/mcp", Json.text(Yaml.own(request)))).path("result");
    assertThat(result.path("isError").asBoolean(true)).as(result.toString()).isFalse();
    return result.path("structuredContent");
  }

  /// Advances the clock so many times, and waits for due work each time.
  void pass(Duration time, int times) {
    for (int i = 0; i < times; i++) {
      clock.pass(time);
      daemon.engine().events().signal().notifyWaiters();
      awaitQuiet();
    }
  }

  /// Waits until no turn runs and nothing is due, neither events nor deadlines.
  void awaitQuiet() {
    long now = clock.instant().toEpochMilli();
    String due =
        """
        select 'event of ' || agent.name || ': ' || inbox_event.payload
        from inbox_event join agent on agent.id = inbox_event.agent_id
        where inbox_event.held = 0 and agent.provider <> 'external'
          and inbox_event.not_before <= %1$d
        union all select 'run ' || id from run where status = 'running'
        union all select 'lease of ' || name from agent where lease_owner is not null
        union all select 'deadline of ' || message_id from pending_reply where deadline <= %1$d
        union all select 'reminder ' || text from reminder where due_at <= %1$d
        union all select 'plan ' || name from plan where next_at <= %1$d
        """
            .formatted(now);
    Await.until(
        () -> {
          // An event that waits for a space's cooldown is due soon.
          clock.pass(Duration.ofMillis(20));
          return texts(due).isEmpty();
        },
        () -> texts(due).toString());
  }

  private List<String> texts(String query) {
    try (var connection = copy.connect()) {
      return SqlDump.texts(connection, query);
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  private static JsonNode require(TestClient.Answer answer) {
    assertThat(answer.status()).as(answer.toString()).isBetween(200, 299);
    return answer.body();
  }

  @Override
  public void close() {
    operator.close();
    daemon.close();
  }
}
