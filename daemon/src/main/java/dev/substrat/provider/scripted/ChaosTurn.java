package dev.substrat.provider.scripted;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.access.budget.BudgetReservation;
import dev.substrat.access.credential.Token;
import dev.substrat.messaging.inbox.InboxEvent;
import dev.substrat.platform.json.Json;
import dev.substrat.provider.Provider.Outcome;
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
/// Used by its turn's thread only.
final class ChaosTurn implements ProviderTurn {
  private final ProviderTurn turn;
  private final ChaosConfig chaos;
  private final SplittableRandom dice;

  private ChaosTurn(ProviderTurn turn, ChaosConfig chaos) {
    this.turn = turn;
    this.chaos = chaos;
    this.dice = chaos.random(turn);
  }

  /// Thinking, whatever it is that thinks.
  @FunctionalInterface
  interface Turn {
    Outcome think(ProviderTurn turn) throws InterruptedException;
  }

  static Outcome think(ProviderTurn turn, ChaosConfig chaos, Turn mind)
      throws InterruptedException {
    try {
      return mind.think(new ChaosTurn(turn, chaos));
    } catch (Failing e) {
      return new Outcome.Failed(String.valueOf(e.getMessage()));
    } catch (Truncated e) {
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
      throw new Truncated(e);
    }
    switch (chaos.nextFailure(dice.nextDouble())) {
      case CRASH -> throw new Crash();
      case RATE_LIMITED -> throw new Failing("simulated rate limit (429) of chaos");
      case FAIL -> throw new Failing("simulated failure of chaos");
      case NONE -> {}
    }
  }

  @Override
  public void withdrawStep() {
    turn.withdrawStep();
  }

  /// Arguments cut in the middle; the pipeline rejects them.
  @Override
  public ToolPipeline.Answer call(String tool, ObjectNode arguments) {
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
  private static final class Crash extends RuntimeException {
    Crash() {
      super("simulated crash of chaos");
    }
  }

  /// The provider reports a failure.
  private static final class Failing extends RuntimeException {
    Failing(String reason) {
      super(reason);
    }
  }

  /// Carries an interrupt out of a step, which has no word for it.
  private static final class Truncated extends RuntimeException {
    private final InterruptedException interruption;

    Truncated(InterruptedException interruption) {
      super(interruption);
      this.interruption = interruption;
    }
  }
}
