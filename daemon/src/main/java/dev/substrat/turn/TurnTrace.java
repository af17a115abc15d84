package dev.substrat.turn;

import dev.substrat.telemetry.OpenSpan;
import dev.substrat.telemetry.Telemetry;
import dev.substrat.tool.Caller;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// The spans of a turn: one for the whole of it, below that one for each step, and below those the
/// step's tool calls.
///
/// A step lasts until the next one begins, because its calls are made after the mind has answered.
///
/// Safe for many threads, guarded by its lock: a mind may call over MCP, on threads of the door.
final class TurnTrace implements AutoCloseable {
  private final OpenSpan turn;
  private @Nullable OpenSpan step;

  TurnTrace(Telemetry telemetry, Caller caller) {
    this.turn =
        telemetry.open(
            "turn " + caller.agent().handle(),
            Map.of(
                "substrat.agent",
                caller.agent().id().value(),
                "substrat.run",
                caller.run().value()));
  }

  <T> T inTurn(Supplier<T> work) {
    return turn.inside(work);
  }

  synchronized OpenSpan beginStep(int number) {
    endStep();
    OpenSpan begun = turn.open("step", Map.of("substrat.step", String.valueOf(number)));
    step = begun;
    return begun;
  }

  /// What runs here belongs to the step that began last.
  <T> T inStep(int number, Supplier<T> work) {
    return current(number).inside(work);
  }

  /// A call before the first step is a step of its own.
  private synchronized OpenSpan current(int number) {
    OpenSpan begun = step;
    return begun == null ? beginStep(number) : begun;
  }

  private void endStep() {
    if (step != null) {
      step.close();
      step = null;
    }
  }

  @Override
  public synchronized void close() {
    endStep();
    turn.close();
  }
}
