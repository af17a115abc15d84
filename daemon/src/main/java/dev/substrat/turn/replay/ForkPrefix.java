package dev.substrat.turn.replay;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.provider.Provider.TurnOutcome;
import dev.substrat.provider.ReplayMismatch;
import dev.substrat.tool.ToolPipeline;
import dev.substrat.turn.CallPrefix;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The beginning of a fork: calls in the steps before the forked one are answered from the record.
/// A provider that makes another call there has left the record and cannot continue.
///
/// Safe for many threads.
final class ForkPrefix implements CallPrefix {
  private final ForkOrigin origin;
  private final RecordedCallAnswers calls;
  private @Nullable String departure;

  ForkPrefix(ForkOrigin origin, List<RecordedCallAnswers.AnsweredCall> calls) {
    this.origin = origin;
    this.calls =
        new RecordedCallAnswers(calls.stream().filter(one -> one.step() < origin.step()).toList());
  }

  @Override
  public synchronized Optional<ToolPipeline.ResultWithUnread> answer(
      int step, String tool, ObjectNode arguments) {
    var call = new ProviderAction.ToolCallAction(tool, arguments);
    if (step >= origin.step()) {
      if (calls.next().isPresent()) {
        throw depart(step, call);
      }
      return Optional.empty();
    }
    ToolPipeline.ResultWithUnread known =
        calls.take(call).map(RecordedCallAnswers.AnsweredCall::answer).orElse(null);
    if (known == null) {
      throw depart(step, call);
    }
    return Optional.of(known);
  }

  private ReplayMismatch depart(int step, ProviderAction now) {
    if (departure == null) {
      String then =
          calls
              .next()
              .map(one -> one.call().describe())
              .orElse("has no more calls before that step");
      departure =
          ("step %d differs from the record of run %s, which it forks at step %d: the "
                  + "record %s, the fork %s")
              .formatted(step, origin.run(), origin.step(), then, now.describe());
    }
    return new ReplayMismatch(departure);
  }

  @Override
  public synchronized Optional<String> departure(TurnOutcome outcome) {
    if (outcome instanceof TurnOutcome.TurnFinished && calls.next().isPresent()) {
      depart(calls.next().get().step(), ProviderAction.from(outcome));
    }
    return Optional.ofNullable(departure);
  }
}
