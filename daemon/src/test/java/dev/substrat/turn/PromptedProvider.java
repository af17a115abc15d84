package dev.substrat.turn;

import dev.substrat.provider.Provider;
import dev.substrat.provider.ProviderTurn;
import dev.substrat.provider.prompt.Prompt;
import dev.substrat.team.ProviderConfig;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

/// Provider that gets the prompt like a model and reacts with Java code.
final class PromptedProvider implements Provider {
  private final List<Prompt> told = new CopyOnWriteArrayList<>();
  private volatile Reaction reaction = (_, _) -> "";
  private volatile Consumer<ProviderTurn> first = _ -> {};

  /// Reaction to a turn; returns its final text.
  @FunctionalInterface
  interface Reaction {
    String to(ProviderTurn turn, Prompt prompt);
  }

  void reacts(Reaction next) {
    reaction = next;
  }

  /// Action before it requests the prompt of a turn.
  void beforehand(Consumer<ProviderTurn> what) {
    first = what;
  }

  /// All prompts so far.
  List<Prompt> told() {
    return List.copyOf(told);
  }

  @Override
  public String name() {
    return "prompted";
  }

  @Override
  public ProviderConfig prepare(ProviderConfig settings) {
    return settings;
  }

  @Override
  public TurnOutcome runTurn(ProviderTurn turn) {
    first.accept(turn);
    Prompt prompt = turn.prompt();
    told.add(prompt);
    turn.events().forEach(turn::show);
    return new TurnOutcome.TurnFinished(reaction.to(turn, prompt));
  }
}
