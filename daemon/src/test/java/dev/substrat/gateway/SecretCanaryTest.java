package dev.substrat.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.substrat.json.Json;
import dev.substrat.store.Dialect;
import dev.substrat.store.OnEveryDatabase;
import dev.substrat.store.TestDatabase;
import dev.substrat.team.Agent;
import dev.substrat.testkit.Requirement;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// A secret in every place where one may stand, services that say it again, and every way to fail:
/// afterwards it is nowhere but on the wire.
@OnEveryDatabase
final class SecretCanaryTest {
  private final GatewayTeam team;
  private final Queue<String> log = new ConcurrentLinkedQueue<>();
  private final Handler ear =
      new Handler() {
        private final SimpleFormatter words = new SimpleFormatter();

        @Override
        public void publish(LogRecord line) {
          // Not what the service says, which is somebody else's.
          if (!String.valueOf(line.getSourceClassName()).startsWith("sun.net.httpserver")) {
            log.add(words.format(line));
          }
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
      };

  SecretCanaryTest(TestDatabase kind) {
    this.team = new GatewayTeam(kind.dialect());
  }

  @BeforeEach
  void listen() {
    Logger.getLogger("").addHandler(ear);
    Logger.getLogger("").setLevel(Level.ALL);
  }

  @AfterEach
  void close() throws IOException {
    Logger.getLogger("").removeHandler(ear);
    Logger.getLogger("").setLevel(Level.INFO);
    team.close();
  }

  private static final List<String> EXECUTIONS =
      List.of(
          "{ url: 'SERVICE/echo', headers: { Authorization: 'Bearer ${env.KEY}' } }",
          "{ url: 'SERVICE/echo/${env.KEY}/x' }",
          "{ url: 'SERVICE/echo?key=${env.KEY}' }",
          "{ url: 'SERVICE/echo', queryParams: { key: '${env.KEY}' } }",
          "{ url: 'SERVICE/echo', method: POST, body: { key: '${env.KEY}' } }",
          "{ url: 'SERVICE/echo', method: POST, body: 'key ${env.KEY}' }",
          "{ url: 'SERVICE/fail', headers: { X-Key: '${env.KEY}' } }",
          "{ url: 'SERVICE/lines', headers: { X-Key: '${env.KEY}' } }",
          "{ url: 'http://${env.KEY}.invalid/' }",
          "{ url: 'http://10.0.0.1/${env.KEY}' }",
          "{ url: 'http://127.0.0.1:1/${env.KEY}', headers: { X-Key: '${env.KEY}' } }",
          "{ url: 'ftp://${env.KEY}/' }",
          "{ url: 'SERVICE/echo', headers: { X-Key: \"${env.KEY}\\nx\" } }");

  @Test
  @Requirement("S3-16")
  void a_secret_is_nowhere_but_on_the_wire() throws IOException {
    String secret = GatewayTeam.SECRET;
    var tools = new StringBuilder();
    for (int i = 0; i < EXECUTIONS.size(); i++) {
      tools.append(
          "- { name: t%d, description: d, executionType: gateway, middleware: [log, cache], execution: %s }\n"
              .formatted(i, EXECUTIONS.get(i)));
    }
    String again = "{\"said\":\"" + secret + "\",\"" + secret + "\":[\"Bearer " + secret + "\"]}";
    team.service.answers("/echo", 200, "application/json", again);
    team.service.answers("/echo/" + secret + "/x", 200, "text/plain", "you said " + secret);
    team.service.answers("/fail", 401, "text/plain", "bad key " + secret);
    team.service.answers("/lines", 200, "application/x-ndjson", again + "\n" + again + "\n");
    Agent ada = team.external(tools.toString());
    team.space("lab", ada);
    team.call(ada, "enter_space", "{'spaceId': 'lab'}");
    var replies = new ArrayList<JsonNode>();
    for (int i = 0; i < EXECUTIONS.size(); i++) {
      replies.add(team.call(ada, "t" + i, "{}"));
    }
    assertThat(team.service.requests)
        .as("it was on the wire")
        .anyMatch(request -> request.toString().contains(secret));
    assertThat(replies).hasSize(EXECUTIONS.size());
    replies.forEach(reply -> assertThat(Json.text(reply)).doesNotContain(secret));
    assertThat(String.join("\n", log)).doesNotContain(secret);
    assertThat(kept()).contains("Bearer ${env.KEY}").doesNotContain(secret);
  }

  private String kept() throws IOException {
    return team.place.dialect() == Dialect.SQLITE ? files() : tables();
  }

  /// Every row of every table, whole.
  private String tables() {
    String names =
        "select table_name as name from information_schema.tables where table_schema = current_schema()";
    return team.rows(names, "name").stream()
        .flatMap(table ->
            team.rows("select cast(t as text) as row from " + table + " t", "row").stream())
        .collect(Collectors.joining("\n"));
  }

  /// Everything in the database's files, as the bytes are.
  private String files() throws IOException {
    var all = new StringBuilder();
    try (var files = Files.list(team.place.directory())) {
      for (Path file : files.toList()) {
        all.append(new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1));
      }
    }
    return all.toString();
  }
}
