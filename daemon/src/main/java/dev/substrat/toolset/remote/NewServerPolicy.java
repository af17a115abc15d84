package dev.substrat.toolset.remote;

import dev.substrat.access.person.People;
import dev.substrat.platform.config.RemoteToolPolicy;
import dev.substrat.store.Tx;
import org.jspecify.annotations.Nullable;

/// Decides whether the tools of a new remote server wait for a person.
///
/// The setting `remoteTools` decides if it is there. Otherwise a daemon that only its operator uses
/// trusts what the operator configures, and a shared one asks: it is shared if other people exist,
/// if it listens beyond this machine, or if it has a public address. Which database it has says
/// nothing about who uses it.
public record NewServerPolicy(
    @Nullable RemoteToolPolicy configured, boolean isLoopback, boolean hasPublicUrl) {
  /// That of a daemon on this machine without a setting.
  public static final NewServerPolicy DEFAULT = new NewServerPolicy(null, true, false);

  /// What holds now, and why.
  public record Effective(String policy, String reason) {
    static Effective of(RemoteToolPolicy policy, String reason) {
      return new Effective(policy.word(), reason);
    }

    boolean isReview() {
      return policy.equals(RemoteToolPolicy.REVIEW.word());
    }
  }

  Effective effective(Tx tx) {
    if (configured != null) {
      return Effective.of(configured, "set by remoteTools in the daemon's configuration");
    }
    if (!isLoopback) {
      return Effective.of(RemoteToolPolicy.REVIEW, "the daemon listens beyond this machine");
    }
    if (hasPublicUrl) {
      return Effective.of(RemoteToolPolicy.REVIEW, "others reach the daemon at its publicUrl");
    }
    return People.exist(tx)
        ? Effective.of(RemoteToolPolicy.REVIEW, "other people than the operator use this daemon")
        : Effective.of(RemoteToolPolicy.TRUST_FIRST, "only the operator uses this daemon");
  }
}
