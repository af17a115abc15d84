package dev.substrat.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.substrat.server.TestDaemon;
import dev.substrat.store.OnEveryDatabase;
import dev.substrat.store.TestDatabase;
import dev.substrat.testkit.Await;
import java.io.IOException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// The list of runs shows refused and failed calls.
@OnEveryDatabase
@Timeout(300)
final class RunListTest {
  private final TestDatabase place;
  private final TestDaemon daemon;

  RunListTest(TestDatabase kind) {
    this.place = TestDatabase.fresh(kind.dialect());
    this.daemon = TestDaemon.on(place);
  }

  @AfterEach
  void close() throws IOException {
    daemon.close();
    place.close();
  }

  @Test
  void a_list_counts_calls_and_those_that_were_refused() {
    assertThat(daemon.get("/api/runs").body().path("runs")).isEmpty();
    daemon.post(
        "/api/agents",
        """
        {"name":"mira","provider":{"name":"scripted","playbook":[{"do":[
          {"call":"list_children","with":{}},
          {"call":"send_message","with":{"recipient":"nobody","text":"hello"}}]}]}}
        """);
    daemon.post("/api/agents/mira/messages", "{\"text\":\"go\"}");
    Await.until(() -> run().path("status").asText().equals("done"));

    assertThat(run().path("calls").asLong()).isEqualTo(2);
    assertThat(run().path("refusedCalls").asLong()).isEqualTo(1);
    assertThat(run().path("failedCalls").asLong()).isZero();
  }

  private JsonNode run() {
    return daemon.get("/api/runs?agent=mira").body().at("/runs/0");
  }
}
