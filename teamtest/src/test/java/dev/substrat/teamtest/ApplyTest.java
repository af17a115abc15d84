package dev.substrat.teamtest;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.substrat.testkit.Requirement;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/// A declared team that will not do is told with all its mistakes, before anybody is made.
final class ApplyTest {
  @AutoClose private final TeamTest team = TeamTest.start();

  @Test
  @Requirement("N11")
  void all_mistakes_are_told_at_once() {
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
        .hasMessageContaining("/agents/1 would be called zoe, like /agents/0")
        .hasMessageContaining("/agents/1/limits/budgetTurns must have a minimum value of 1")
        .hasMessageContaining("/agents/2/provider/playbook/0/do/0/call it has no tool");

    // Nobody is there who could have the name already.
    team.apply("agents: [{name: Zoe}]");
    assertThatThrownBy(() -> team.ask("ada", "there?")).hasMessageContaining("no agent ada");
  }
}
