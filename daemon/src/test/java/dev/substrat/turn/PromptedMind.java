package dev.substrat.turn;

import dev.substrat.provider.Provider;
import dev.substrat.provider.ProviderTurn;
import dev.substrat.provider.prompt.Prompt;
import dev.substrat.team.ProviderConfig;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

/// A mind that is told everything in words, as a model is, and reacts by a few lines of Java.
final class PromptedMind implements Provider {
  private final List<Prompt> told = new CopyOnWriteArrayList<>();
  private volatile Reaction reaction = (_, _) -> "";
  private volatile Consumer<ProviderTurn> first = _ -> {};

  /// What it does with a turn; returns its final text.
  @FunctionalInterface
  interface Reaction {
    String to(ProviderTurn turn, Prompt prompt);
  }

  void reacts(Reaction next) {
    reaction = next;
  }

  /// What happens to its turns before it asks what they are about.
  void beforehand(Consumer<ProviderTurn> what) {
    first = what;
  }

  /// Everything it was told so far.
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
  public Outcome runTurn(ProviderTurn turn) {
    first.accept(turn);
    Prompt prompt = turn.prompt();
    told.add(prompt);
    turn.events().forEach(turn::show);
    return new Outcome.Finished(reaction.to(turn, prompt));
  }
}
