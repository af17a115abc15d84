package dev.substrat.server.console.health;

import dev.substrat.provider.Provider;
import dev.substrat.provider.ProviderProbe;
import dev.substrat.provider.Providers;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/// Cache of provider probes. Some probes start a program, so they run in the background at
/// intervals, and pages show the last result.
///
/// Thread-safe: the first caller after the interval starts the probes.
public final class ProviderProbes {
  private static final Duration BETWEEN = Duration.ofMinutes(1);

  /// Most probes finish within this time, so that few pages show "unknown".
  private static final Duration TIMEOUT = Duration.ofMillis(200);

  private final Providers providers;
  private final InstantSource clock;
  private final Map<String, ProviderProbe> known = new ConcurrentHashMap<>();
  private Instant next = Instant.EPOCH;

  public ProviderProbes(Providers providers, InstantSource clock) {
    this.providers = providers;
    this.clock = clock;
  }

  /// Results by provider name; without providers that have not answered yet.
  public Map<String, ProviderProbe> known() {
    if (isTime()) {
      Thread asking = Thread.ofVirtual().name("probe providers").start(this::ask);
      try {
        asking.join(TIMEOUT);
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
