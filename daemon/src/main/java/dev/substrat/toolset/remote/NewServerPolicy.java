package dev.substrat.toolset.remote;

import dev.substrat.access.person.People;
import dev.substrat.platform.config.RemoteToolPolicy;
import dev.substrat.store.Tx;
import org.jspecify.annotations.Nullable;

/// Decides whether the tools of a new remote server wait for a person.
///
/// The setting `remoteTools` has precedence. Otherwise a daemon that only its operator uses trusts
/// configured servers, and a shared one requires approval. It is shared if there are other people,
/// if it listens beyond this machine, or if it has a public URL. The database says nothing about
/// that.
public record NewServerPolicy(
    @Nullable RemoteToolPolicy configured, boolean isLoopback, boolean hasPublicUrl) {
  /// That of a daemon on this machine without a setting.
  public static final NewServerPolicy DEFAULT = new NewServerPolicy(null, true, false);

  /// The effective policy and its reason.
  public record EffectivePolicy(String policy, String reason) {
    static EffectivePolicy of(RemoteToolPolicy policy, String reason) {
      return new EffectivePolicy(policy.word(), reason);
    }

    boolean isReview() {
      return policy.equals(RemoteToolPolicy.REVIEW.word());
    }
  }

  EffectivePolicy effective(Tx tx) {
    if (configured != null) {
      return EffectivePolicy.of(configured, "set by remoteTools in the daemon's configuration");
    }
    if (!isLoopback) {
      return EffectivePolicy.of(RemoteToolPolicy.REVIEW, "the daemon listens beyond this machine");
    }
    if (hasPublicUrl) {
      return EffectivePolicy.of(
          RemoteToolPolicy.REVIEW, "others reach the daemon at its publicUrl");
    }
    return People.exist(tx)
        ? EffectivePolicy.of(
            RemoteToolPolicy.REVIEW, "other people than the operator use this daemon")
        : EffectivePolicy.of(RemoteToolPolicy.TRUST_FIRST, "only the operator uses this daemon");
  }
}
