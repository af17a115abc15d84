package dev.substrat.teamtest;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.substrat.testkit.Requirement;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/// An invalid team is rejected with all its mistakes, before any agent is created.
final class ApplyTest {
  @AutoClose private final TeamTest team = TeamTest.start();

  @Test
  @Requirement("N11")
  void all_mistakes_are_reported_together() {
    assertThatThrownBy(() ->
            team.apply(
                """
                agents:
                  - name: Zoe
                    color: red
                    children:
                      - limits: { maxChildren: many }
                  - name: zoe
                    limits: { budgetTurns: -1 }
                  - name: Ada
                    provider: { name: scripted, playbook: [ { do: [ { call: send_mesage } ] } ] }
                """))
        .hasMessageContaining("/agents/0/color is not a known key")
        .hasMessageContaining("/agents/0/children/0/name is missing")
        .hasMessageContaining("/agents/0/children/0/limits/maxChildren string found")
        .hasMessageContaining("/agents/1 has the handle zoe, which /agents/0 has, too")
        .hasMessageContaining("/agents/1/limits/budgetTurns must have a minimum value of 1")
        .hasMessageContaining("/agents/2/provider/playbook/0/do/0/call the agent has no tool");

    // No agent was created, so the name is free.
    team.apply("agents: [{name: Zoe}]");
    assertThatThrownBy(() -> team.ask("ada", "there?"))
        .hasMessageContaining("agent \"ada\" not found");
  }
}
