package dev.substrat.access.limit;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.substrat.protocol.Fault;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Limits that no agent can have.
class AgentLimitsTest {

  @ParameterizedTest
  @CsvSource({
    "0, messagesPerMinute, 0, 1",
    "1, callsPerMinute, 0, 1",
    "2, maxCallsPerTurn, 0, 1",
    "3, maxMessagesPerTurn, 0, 1",
    "4, maxStepsPerTurn, -3, 1",
    "5, maxTokensPerTurn, 0, 1",
    "6, maxChildren, -1, 0",
    "7, maxDepth, 0, 1",
    "8, maxAgents, 0, 1",
    "9, maxTurnSeconds, 0, 1"
  })
  void an_invalid_limit_is_rejected_with_its_key(int index, String key, int value, int least) {
    var all = new Integer[10];
    all[index] = value;

    assertThatThrownBy(() -> limits(all))
        .isInstanceOf(Fault.class)
        .hasMessage(
            "INVALID_CONFIG: limits.%s must be %d or more, not %d".formatted(key, least, value));
  }

  private static AgentLimits limits(Integer[] all) {
    return new AgentLimits(
        all[0], all[1], all[2], all[3], all[4], all[5], all[6], all[7], all[8], all[9], null, null,
        null, null);
  }
}
