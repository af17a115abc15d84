package dev.substrat.turn.run;

import dev.substrat.platform.telemetry.ManualSpan;
import dev.substrat.platform.telemetry.Telemetry;
import dev.substrat.tool.ToolCaller;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Trace spans of a turn: one for the turn, below it one for each step, and below those the step's
/// tool calls.
///
/// A step lasts until the next one begins, because its calls are made after the model has answered.
///
/// Safe for many threads, guarded by its lock: calls over MCP come on threads of the HTTP server. A
/// call after the end of the turn has no span.
public final class TurnTrace implements AutoCloseable {
  private final ManualSpan turn;
  private @Nullable ManualSpan step;
  private boolean isOver;

  public TurnTrace(Telemetry telemetry, ToolCaller caller) {
    this.turn =
        telemetry.open(
            "turn " + caller.agent().handle(),
            Map.of(
                "substrat.agent",
                caller.agent().id().value(),
                "substrat.run",
                caller.run().value()));
  }

  public <T> T inTurn(Supplier<T> work) {
    return turn.inside(work);
  }

  public synchronized void beginStep(int number) {
    endStep();
    if (!isOver) {
      step = turn.open("step", Map.of("substrat.step", String.valueOf(number)));
    }
  }

  /// Runs `work` as part of this step.
  public <T> T inStep(int number, Supplier<T> work) {
    ManualSpan current = current(number);
    return current == null ? work.get() : current.inside(work);
  }

  /// A call before the first step is a step of its own.
  private synchronized @Nullable ManualSpan current(int number) {
    if (step == null) {
      beginStep(number);
    }
    return step;
  }

  private void endStep() {
    if (step != null) {
      step.close();
      step = null;
    }
  }

  @Override
  public synchronized void close() {
    isOver = true;
    endStep();
    turn.close();
  }
}
