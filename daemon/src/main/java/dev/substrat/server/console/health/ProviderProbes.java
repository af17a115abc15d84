package dev.substrat.server.console.health;

import dev.substrat.provider.Provider;
import dev.substrat.provider.ProviderProbe;
import dev.substrat.provider.Providers;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/// What providers say of themselves. Some start a program to find out, so they are asked once in a
/// while and beside the page, which shows what is known.
///
/// Safe for many threads: who is the first to find that it is time asks for all.
public final class ProviderProbes {
  private static final Duration BETWEEN = Duration.ofMinutes(1);

  /// Most answer at once, and then no page has to say that it does not know yet.
  private static final Duration PATIENCE = Duration.ofMillis(200);

  private final Providers providers;
  private final InstantSource clock;
  private final Map<String, ProviderProbe> known = new ConcurrentHashMap<>();
  private Instant next = Instant.EPOCH;

  public ProviderProbes(Providers providers, InstantSource clock) {
    this.providers = providers;
    this.clock = clock;
  }

  /// By name; who has not answered yet is missing.
  public Map<String, ProviderProbe> known() {
    if (isTime()) {
      Thread asking = Thread.ofVirtual().name("probe providers").start(this::ask);
      try {
        asking.join(PATIENCE);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
    return Map.copyOf(known);
  }

  private synchronized boolean isTime() {
    Instant now = clock.instant();
    boolean isTime = !now.isBefore(next);
    next = isTime ? now.plus(BETWEEN) : next;
    return isTime;
  }

  private void ask() {
    for (Provider provider : providers.all()) {
      known.put(provider.name(), provider.probe());
    }
  }
}
