package dev.substrat.provider.scripted;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.access.budget.BudgetReservation;
import dev.substrat.access.credential.Token;
import dev.substrat.messaging.inbox.InboxEvent;
import dev.substrat.platform.json.Json;
import dev.substrat.provider.Provider.TurnOutcome;
import dev.substrat.provider.ProviderEvent;
import dev.substrat.provider.ProviderTurn;
import dev.substrat.provider.prompt.Prompt;
import dev.substrat.team.Agent;
import dev.substrat.tool.Tool;
import dev.substrat.tool.ToolPipeline;
import dev.substrat.tool.transcript.ModelUsage;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/// A turn with simulated failures, see [ChaosConfig]. The engine handles them like failures of any
/// provider.
///
/// Belongs to the thread of its turn.
final class ChaosTurn implements ProviderTurn {
  private final ProviderTurn turn;
  private final ChaosConfig chaos;
  private final SplittableRandom dice;

  private ChaosTurn(ProviderTurn turn, ChaosConfig chaos) {
    this.turn = turn;
    this.chaos = chaos;
    this.dice = chaos.random(turn);
  }

  /// Runs the turn, with a playbook or a program.
  @FunctionalInterface
  interface TurnRunner {
    TurnOutcome run(ProviderTurn turn) throws InterruptedException;
  }

  static TurnOutcome run(ProviderTurn turn, ChaosConfig chaos, TurnRunner inner)
      throws InterruptedException {
    try {
      return inner.run(new ChaosTurn(turn, chaos));
    } catch (SimulatedFailureException e) {
      return new TurnOutcome.TurnFailed(String.valueOf(e.getMessage()));
    } catch (InterruptedStepException e) {
      throw e.interruption;
    }
  }

  @Override
  public void beginStep(BudgetReservation most) {
    turn.beginStep(most);
    try {
      if (!chaos.delay().isZero()) {
        turn.pause(chaos.delay());
      }
    } catch (InterruptedException e) {
      throw new InterruptedStepException(e);
    }
    switch (chaos.nextFailure(dice.nextDouble())) {
      case CRASH -> throw new SimulatedCrashException();
      case RATE_LIMITED ->
          throw new SimulatedFailureException("rate limit (429) simulated by `chaos`");
      case FAIL -> throw new SimulatedFailureException("failure simulated by `chaos`");
      case NONE -> {}
    }
  }

  @Override
  public void withdrawStep() {
    turn.withdrawStep();
  }

  /// Sends truncated arguments, which the pipeline rejects.
  @Override
  public ToolPipeline.ResultWithUnread call(String tool, ObjectNode arguments) {
    if (!chaos.isMalformed(dice.nextDouble())) {
      return turn.call(tool, arguments);
    }
    String text = Json.text(arguments);
    return turn.call(tool, Json.object().put("malformed", text.substring(0, text.length() / 2)));
  }

  @Override
  public Agent agent() {
    return turn.agent();
  }

  @Override
  public Token credential() {
    return turn.credential();
  }

  @Override
  public Prompt prompt() {
    return turn.prompt();
  }

  @Override
  public List<Tool> tools() {
    return turn.tools();
  }

  @Override
  public Optional<String> storedState() {
    return turn.storedState();
  }

  @Override
  public void storeState(String state) {
    turn.storeState(state);
  }

  @Override
  public void publish(ProviderEvent event) {
    turn.publish(event);
  }

  @Override
  public long number() {
    return turn.number();
  }

  @Override
  public List<InboxEvent> events() {
    return turn.events();
  }

  @Override
  public void show(InboxEvent event) {
    turn.show(event);
  }

  @Override
  public void endStep(@Nullable String model, ModelUsage usage) {
    turn.endStep(model, usage);
  }

  @Override
  public void pause(Duration time) throws InterruptedException {
    turn.pause(time);
  }

  /// The provider crashes without a message.
  private static final class SimulatedCrashException extends RuntimeException {
    SimulatedCrashException() {
      super("crash simulated by `chaos`");
    }
  }

  /// The provider reports a failure.
  private static final class SimulatedFailureException extends RuntimeException {
    SimulatedFailureException(String reason) {
      super(reason);
    }
  }

  /// Carries an interrupt out of a step, whose method declares no InterruptedException.
  private static final class InterruptedStepException extends RuntimeException {
    private final InterruptedException interruption;

    InterruptedStepException(InterruptedException interruption) {
      super(interruption);
      this.interruption = interruption;
    }
  }
}
