package dev.substrat.turn;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.substrat.fault.Fault;
import dev.substrat.protocol.ErrorCode;
import dev.substrat.store.OnEveryDatabase;
import dev.substrat.store.TestDatabase;
import dev.substrat.team.Agent;
import java.io.IOException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Agents whose mind is elsewhere.
@OnEveryDatabase
final class ExternalRunsTest {
  private final TestTeam team;
  private final Agent ada;

  ExternalRunsTest(TestDatabase place) {
    this.team = new TestTeam(place.dialect(), 1);
    this.ada = team.agent("{name: ada, provider: {name: external}}");
  }

  @AfterEach
  void close() throws IOException {
    team.close();
  }

  @Test
  void an_agent_that_has_just_ended_gets_no_run() {
    team.agents.terminate("ada");

    assertThatThrownBy(() -> team.engine.externalRuns().caller(ada))
        .isInstanceOfSatisfying(
            Fault.class, fault -> assertThat(fault.code()).isEqualTo(ErrorCode.AGENT_NOT_FOUND));
    assertThat(team.runs.newest(ada.id(), 10)).isEmpty();
  }
}
