package dev.substrat.engine;

import dev.substrat.fault.Fault;
import dev.substrat.gateway.SubAgents;
import dev.substrat.inbox.RunInput;
import dev.substrat.protocol.ErrorCode;
import dev.substrat.provider.Provider.Outcome;
import dev.substrat.provider.Providers;
import dev.substrat.team.AgentConfig;
import dev.substrat.turn.Spending;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;

/// Sub-agents think with the minds that agents think with. They have no tools, no mail and no place
/// in the team, and are gone when they have said something. What they use is their caller's.
record Minds(Ground ground, Providers providers, Spending spending, AtomicInteger steps)
    implements SubAgents {

  Minds(Ground ground, Providers providers, Spending spending) {
    this(ground, providers, spending, new AtomicInteger(Purse.FIRST));
  }

  @Override
  public AgentConfig prepare(AgentConfig config) {
    return providers.prepare(config);
  }

  @Override
  public String think(Task task) {
    var turn = new SubTurn(task, context(task), purse(task), ground.pace());
    return task.interest().during(() -> thought(task, turn));
  }

  private String thought(Task task, SubTurn turn) {
    var thinking = new FutureTask<>(() -> providers.think(turn));
    Thread thread = Thread.ofVirtual().name("sub-agent").start(thinking);
    try {
      return said(thinking.get(task.patience().toMillis(), TimeUnit.MILLISECONDS));
    } catch (TimeoutException e) {
      throw new Fault(
          ErrorCode.TIMEOUT,
          "the sub-agent took longer than " + task.patience().toMillis() + " ms",
          "ask for less, or go on without it",
          e);
    } catch (ExecutionException e) {
      throw failed("it broke: " + e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw failed("the turn was interrupted");
    } finally {
      thread.interrupt();
    }
  }

  private Purse purse(Task task) {
    return new Purse(ground.database(), spending, task.caller(), steps);
  }

  /// From what the caller's turn was given, not from the words it was put in: not every mind is
  /// told in words.
  private String context(Task task) {
    return task.includeContext()
        ? ground
            .database()
            .<String>read(tx ->
                RunInput.of(tx, task.caller().run()).stream()
                    .map(given -> given.payload())
                    .map(event -> event.path("from").asText() + ": " + event.path("text").asText())
                    .collect(Collectors.joining("\n")))
        : "";
  }

  private static String said(Outcome outcome) {
    return switch (outcome) {
      case Outcome.Finished finished -> finished.text();
      case Outcome.Failed failed -> throw failed(failed.reason());
      case Outcome.Later later -> throw failed(later.reason());
      case Outcome.Hopeless hopeless -> throw failed(hopeless.reason());
      case Outcome.Refused refused -> throw refused.reason();
      case Outcome.Stopped _ -> throw failed("the daemon stops");
    };
  }

  private static Fault failed(String reason) {
    return new Fault(
        ErrorCode.UPSTREAM_ERROR, "the sub-agent failed: " + reason, "go on without it");
  }
}
