package dev.substrat.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.substrat.server.TestDaemon;
import dev.substrat.store.OnEveryDatabase;
import dev.substrat.store.TestDatabase;
import java.io.IOException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

@OnEveryDatabase
final class AgentListTest {
  private final TestDatabase place;
  private final TestDaemon daemon;

  AgentListTest(TestDatabase kind) {
    this.place = TestDatabase.fresh(kind.dialect());
    this.daemon = TestDaemon.on(place);
  }

  @AfterEach
  void close() throws IOException {
    daemon.close();
    place.close();
  }

  @Test
  void agents_are_paged_oldest_first() {
    for (int i = 0; i < 5; i++) {
      daemon.createAgent("agent" + i, "[]");
    }
    daemon.delete("/api/agents/agent1");

    var first = daemon.get("/api/agents?limit=3").body();
    var second = daemon.get("/api/agents?limit=3&after=" + first.path("next").asText()).body();

    assertThat(first.path("agents").valueStream().map(agent -> agent.path("handle").asText()))
        .containsExactly("agent0", "agent2", "agent3");
    assertThat(second.path("agents")).hasSize(1);
    assertThat(second.has("next")).isFalse();
    assertThat(daemon.get("/api/agents").body().path("agents")).hasSize(4);
  }
}
