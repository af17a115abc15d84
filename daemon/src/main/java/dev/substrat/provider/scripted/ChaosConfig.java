package dev.substrat.provider.scripted;

import com.fasterxml.jackson.databind.JsonNode;
import dev.substrat.platform.config.DurationParser;
import dev.substrat.platform.json.Json;
import dev.substrat.platform.json.JsonSchema;
import dev.substrat.protocol.ErrorCode;
import dev.substrat.protocol.Fault;
import dev.substrat.provider.ProviderTurn;
import java.time.Duration;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/// Configuration of simulated failures of a scripted agent, to test how a team handles them.
///
/// Numbers are probabilities from 0 to 1. Each turn may crash, be rate limited or fail; each tool
/// call may be malformed; `slow` is a delay before the turn. The random numbers depend only on the
/// seed, the agent's handle and the turn's number: a test is repeatable, and a retried turn gets
/// other numbers.
record ChaosConfig(
    @Nullable Double crash,
    @Nullable Double fail,
    @Nullable Double rateLimited,
    @Nullable Double malformed,
    @Nullable String slow,
    @Nullable Long seed) {

  private static final JsonSchema SCHEMA = JsonSchema.ofRecord(ChaosConfig.class);
  private static final String WHERE = "/provider/chaos";
  private static final String HINT =
      "for example {crash: 0.1, fail: 0.2, rateLimited: 0.1, malformed: 0.1, slow: 500ms, seed: 7}";

  static ChaosConfig parse(JsonNode json) {
    requireShape(json);
    var chaos = Json.as(json, ChaosConfig.class);
    requireProbability("crash", chaos.crash);
    requireProbability("fail", chaos.fail);
    requireProbability("rateLimited", chaos.rateLimited);
    requireProbability("malformed", chaos.malformed);
    if (or0(chaos.crash) + or0(chaos.fail) + or0(chaos.rateLimited) > 1) {
      throw invalid(WHERE + ": the sum of crash, fail and rateLimited is more than 1");
    }
    chaos.delay();
    return chaos;
  }

  /// The error names the path in the agent's configuration.
  private static void requireShape(JsonNode json) {
    try {
      SCHEMA.require(json);
    } catch (Fault fault) {
      throw invalid(fault.message().replaceFirst("^(the value|(?=/))", WHERE));
    }
  }

  private static void requireProbability(String name, @Nullable Double value) {
    if (value != null && !(value >= 0 && value <= 1)) {
      throw invalid(WHERE + "/" + name + " is " + value + ", but must be a number from 0 to 1");
    }
  }

  private static Fault invalid(String message) {
    return ErrorCode.INVALID_CONFIG.fault(message, HINT);
  }

  /// Simulated failure of a step.
  enum SimulatedFailure {
    CRASH,
    RATE_LIMITED,
    FAIL,
    NONE
  }

  SimulatedFailure nextFailure(double dice) {
    if (dice < or0(crash)) {
      return SimulatedFailure.CRASH;
    }
    if (dice < or0(crash) + or0(rateLimited)) {
      return SimulatedFailure.RATE_LIMITED;
    }
    return dice < or0(crash) + or0(rateLimited) + or0(fail)
        ? SimulatedFailure.FAIL
        : SimulatedFailure.NONE;
  }

  boolean isMalformed(double dice) {
    return dice < or0(malformed);
  }

  Duration delay() {
    return slow == null ? Duration.ZERO : DurationParser.parse(slow);
  }

  /// Random numbers of one turn.
  SplittableRandom random(ProviderTurn turn) {
    long start = seed == null ? 0 : seed;
    return new SplittableRandom(
        (start * 31 + turn.agent().handle().hashCode()) * 1_000_003 + turn.number());
  }

  private static double or0(@Nullable Double value) {
    return value == null ? 0 : value;
  }
}
