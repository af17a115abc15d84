package dev.substrat.provider;

import org.jspecify.annotations.Nullable;

/// Whether a provider is available on this machine, without running a turn.
public record ProviderProbe(
    ProviderState state, @Nullable String version, String detail, @Nullable String hint) {

  /// How far it is from working.
  public enum ProviderState {
    READY,
    NEEDS_LOGIN,
    MISSING
  }

  public static ProviderProbe ready(@Nullable String version, String detail) {
    return new ProviderProbe(ProviderState.READY, version, detail, null);
  }

  public static ProviderProbe missing(String detail, String hint) {
    return new ProviderProbe(ProviderState.MISSING, null, detail, hint);
  }
}
