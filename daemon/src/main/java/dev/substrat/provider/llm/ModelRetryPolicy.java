package dev.substrat.provider.llm;

import dev.substrat.platform.log.Log;
import dev.substrat.provider.ProviderTurn;
import dev.substrat.provider.llm.ModelFailure.FailureKind;
import dev.substrat.provider.llm.wire.ModelReply;
import dev.substrat.provider.llm.wire.ModelRequest;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/// Retry policy of model requests, with a fallback model.
///
/// If the API names a time, the retry waits for it, within the time limit of the turn. Otherwise
/// pauses double, with jitter so that the agents of a team do not retry together.
record ModelRetryPolicy(ProviderTurn turn, RequestSender ask, WastedUsageListener waste) {
  private static final Log LOG = Log.of(ModelRetryPolicy.class);
  private static final int MAX_TRIES_IF_LIMITED = 6;
  private static final int MAX_TRIES_IF_AWAY = 4;
  private static final Duration FIRST_PAUSE = Duration.ofMillis(500);

  /// Sends the request to one model, once.
  @FunctionalInterface
  interface RequestSender {
    ModelReply once(ModelRequest question) throws InterruptedException;
  }

  /// Called for discarded answers, before a retry.
  @FunctionalInterface
  interface WastedUsageListener {
    void of(String model, ModelReply heard);
  }

  /// A response, and the model that gave it.
  record SuccessfulReply(String model, ModelReply reply) {}

  /// The response of the first of `models` that answers.
  SuccessfulReply ask(ModelRequest question, List<String> models) throws InterruptedException {
    @Nullable ModelFailure passing = null;
    for (String model : models) {
      try {
        return new SuccessfulReply(model, persist(question.to(model)));
      } catch (ModelFailure trouble) {
        boolean concernsAll =
            trouble.kind() == FailureKind.LOCKED_OUT || trouble.kind() == FailureKind.TOO_LONG;
        if (concernsAll) {
          throw trouble;
        }
        if (model.equals(models.getLast())) {
          // A transient failure of one model allows a later retry.
          throw passing != null && trouble.partialReply() == null ? passing : trouble;
        }
        passing = trouble.kind().isTransient() ? trouble : passing;
        again(model, trouble);
        LOG.warn(
            "a model is not available",
            "agent",
            turn.agent().handle(),
            "model",
            model,
            "reason",
            trouble.words());
      }
    }
    throw ModelFailure.invalid("no model is configured");
  }

  private void again(String model, ModelFailure trouble) {
    ModelReply heard = trouble.partialReply();
    if (heard != null) {
      waste.of(model, heard);
    }
  }

  private ModelReply persist(ModelRequest question) throws InterruptedException {
    for (int tries = 1; ; tries++) {
      try {
        return ask.once(question);
      } catch (ModelFailure trouble) {
        Duration pause = pause(trouble, tries);
        if (!trouble.kind().isRetryable() || tries >= most(trouble) || isTooLong(pause)) {
          throw trouble;
        }
        again(question.model(), trouble);
        turn.pause(pause);
      }
    }
  }

  private static int most(ModelFailure trouble) {
    return trouble.kind() == FailureKind.RATE_LIMITED ? MAX_TRIES_IF_LIMITED : MAX_TRIES_IF_AWAY;
  }

  private static Duration pause(ModelFailure trouble, int tries) {
    if (trouble.retryAfter() != null) {
      return trouble.retryAfter();
    }
    Duration doubled = FIRST_PAUSE.multipliedBy(1L << (tries - 1));
    return doubled.plusMillis(ThreadLocalRandom.current().nextLong(doubled.toMillis() / 2));
  }

  /// A longer wait than the turn may take is postponed instead.
  private boolean isTooLong(Duration pause) {
    return pause.compareTo(turn.agent().config().limitsOrDefault().turn()) >= 0;
  }
}
