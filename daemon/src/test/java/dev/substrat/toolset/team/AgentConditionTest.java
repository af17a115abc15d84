package dev.substrat.toolset.team;

import static org.assertj.core.api.Assertions.assertThat;

import dev.substrat.store.SingleThreadedSqlite;
import dev.substrat.store.Tx;
import dev.substrat.team.Agent;
import dev.substrat.team.AgentTree;
import dev.substrat.testkit.Requirement;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/// Conditions of many agents at once.
@Requirement("N9")
final class AgentConditionTest {
  private static final int AGENTS = 200;

  private final AtomicInteger statements = new AtomicInteger();

  @Test
  void idle_agents_cause_no_queries_of_their_own() {
    try (var database = SingleThreadedSqlite.open(() -> 1_000, this::counted)) {
      database.transact(AgentConditionTest::insert);
      List<Agent> agents = database.read(tx -> AgentTree.list(tx, "", AGENTS, true));
      assertThat(agents).hasSize(AGENTS);
      statements.set(0);

      var engaged = database.read(tx -> AgentCondition.engaged(tx, agents));

      assertThat(statements.get()).isLessThan(10);
      assertThat(agents.stream().filter(agent -> engaged.contains(agent.id())))
          .extracting(Agent::handle)
          .containsExactly("a100", "a101", "a102", "a103", "a104", "a105", "a106", "a107");
      for (Agent agent : agents) {
        AgentCondition condition =
            database.read(tx -> AgentCondition.of(tx, agent, Instant.ofEpochMilli(1_000)));
        if (!engaged.contains(agent.id())) {
          assertThat(condition).as(agent.handle()).isEqualTo(AgentCondition.NOTHING_TO_DO);
        }
      }
    }
  }

  private String counted(String sql) {
    statements.incrementAndGet();
    return sql;
  }

  private static boolean insert(Tx tx) {
    for (int i = 100; i < 100 + AGENTS; i++) {
      tx.update(
          """
          insert into agent (id, handle, name, description, role, config, created_at)
          values (?, ?, ?, '', 'worker', ?, 0)
          """,
          "a" + i,
          "a" + i,
          "a" + i,
          "{\"name\":\"a%d\"}".formatted(i));
    }
    tx.update("update agent set lease_until = 2000 where id = 'a100'");
    tx.update("update agent set gated = 1 where id = 'a101'");
    tx.update("update agent set terminated_at = 1 where id = 'a102'");
    tx.update(
        """
        insert into budget (agent_id, kind, cap, spent, reserved, exhausted_at)
        values ('a103', 'tokens', 1, 1, 0, 1)
        """);
    tx.update("update agent set parent_id = 'a103' where id = 'a104'");
    tx.update(
        """
        insert into inbox_event (id, agent_id, kind, payload, not_before, held)
        values ('e1', 'a105', 'message', '{}', 5000, 0), ('e2', 'a106', 'message', '{}', 0, 1)
        """);
    tx.update(
        """
        insert into space (id, kind, name, topic, wake_policy, created_by, created_at)
        values ('deck', 'public', 'deck', '', 'all', 'operator', 0)
        """);
    tx.update(
        """
        insert into space_message (id, space_id, seq, author, text, kind, status, depth, created_at)
        values ('m1', 'deck', 1, 'a100', 'x', 'message', 'complete', 0, 0)
        """);
    tx.update(
        """
        insert into space_round (message_id, space_id, seq, state, queue)
        values ('m1', 'deck', 1, 'held', 'a999 a107')
        """);
    return true;
  }
}
