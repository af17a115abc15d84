package dev.substrat.turn;

import static org.assertj.core.api.Assertions.assertThat;

import dev.substrat.platform.identity.MessageId;
import dev.substrat.platform.json.Json;
import dev.substrat.store.OnEveryDatabase;
import dev.substrat.store.TestDatabase;
import dev.substrat.team.AgentTree;
import dev.substrat.testkit.Requirement;
import dev.substrat.tool.ToolCall;
import java.io.IOException;
import java.util.ArrayList;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// The size limit of a team applies to all its agents together.
@OnEveryDatabase
final class TeamSizeTest {
  private static final int SPAWNERS = 8;
  private static final int ROUNDS = 4;

  private final TestTeam team;

  TeamSizeTest(TestDatabase place) {
    this.team = new TestTeam(place.dialect(), 1);
  }

  @AfterEach
  void close() throws IOException {
    team.close();
  }

  @Test
  @Requirement({"A6", "S0-35", "S1-22"})
  void concurrent_spawns_never_exceed_the_team_limit() throws Exception {
    for (int round = 0; round < ROUNDS; round++) {
      String root = "root" + round;
      team.agent(
          "{name: %s, provider: {name: external}, limits: {maxAgents: %d}}"
              .formatted(root, SPAWNERS + 2));
      for (int i = 0; i < SPAWNERS; i++) {
        team.agent(
            "{name: %s-%d, parent: %s, provider: {name: external}}".formatted(root, i, root));
      }

      spawnAllAtOnce(root);

      var all =
          team.database.<Integer>read(tx -> AgentTree.teamSize(tx, AgentTree.require(tx, root)));
      assertThat(all).isEqualTo(SPAWNERS + 2);
    }
  }

  private void spawnAllAtOnce(String root) throws Exception {
    var barrier = new CyclicBarrier(SPAWNERS);
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      var spawned = new ArrayList<Future<String>>();
      for (int i = 0; i < SPAWNERS; i++) {
        var spawner = team.agents.require(root + "-" + i);
        var caller = team.engine.externalRuns().caller(spawner);
        var call = new ToolCall(caller, 0, MessageId.random().value(), null);
        spawned.add(
            threads.submit(() -> {
              barrier.await();
              return team.engine
                  .pipeline()
                  .call(
                      call,
                      "spawn_agent",
                      Json.object().put("name", "kid").put("instructions", "x"))
                  .reply()
                  .json()
                  .toString();
            }));
      }
      for (var one : spawned) {
        assertThat(one.get()).containsAnyOf("created", "LIMIT_REACHED");
      }
    }
  }
}
