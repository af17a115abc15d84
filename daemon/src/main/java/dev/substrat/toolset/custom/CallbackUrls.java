package dev.substrat.toolset.custom;

import dev.substrat.platform.identity.CallerPermissions;
import dev.substrat.protocol.ErrorCode;
import dev.substrat.store.Database;
import dev.substrat.tool.pending.PendingCall;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Base64;
import java.util.Optional;
import java.util.function.Supplier;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/// Signed URLs at which a service delivers the result of one call. They need no token: a URL is
/// signed and expires, and since a call is answered once, it works once.
public final class CallbackUrls {
  private static final String ALGORITHM = "HmacSHA256";
  private static final String NAME = "callback";
  private static final int KEY_BYTES = 32;

  /// Maximum validity of a URL, also of a call that never expires, so that a leaked URL becomes
  /// invalid.
  static final Duration MAX_DURATION = Duration.ofDays(7);

  private final Database database;
  private final InstantSource clock;
  private final Supplier<String> base;
  private volatile byte @Nullable [] key;

  /// `base` is the public URL of the daemon.
  CallbackUrls(Database database, InstantSource clock, Supplier<String> base) {
    this.database = database;
    this.clock = clock;
    this.base = base;
  }

  /// A request to the URL of a call, with a valid signature: proof that it comes from the service.
  public static final class VerifiedCallback {
    private final String call;

    VerifiedCallback(String call) {
      this.call = call;
    }

    String call() {
      return call;
    }
  }

  /// Where the result of `call` can be delivered, for a caller that may answer as the service.
  public Optional<String> findUrl(CallerPermissions caller, PendingCall call) {
    return PendingCallAccess.mayAnswerForService(caller, call)
        ? Optional.of(url(call))
        : Optional.empty();
  }

  /// URL for the result of `call`.
  String url(PendingCall call) {
    Instant latest = call.createdAt().plus(MAX_DURATION);
    Instant end = call.expiresAt();
    long expires = (end == null || end.isAfter(latest) ? latest : end).toEpochMilli();
    return "%s/api/callbacks/%s?expires=%d&signature=%s"
        .formatted(base.get(), call.id(), expires, signature(call.id(), expires));
  }

  /// Rejects a URL with an invalid signature or an expired one.
  public VerifiedCallback require(String callId, long expires, String signature) {
    byte[] right = signature(callId, expires).getBytes(StandardCharsets.US_ASCII);
    if (!MessageDigest.isEqual(right, signature.getBytes(StandardCharsets.UTF_8))) {
      throw ErrorCode.FORBIDDEN.fault(
          "the callback URL is invalid", "use the URL exactly as it was sent");
    }
    if (clock.instant().toEpochMilli() > expires) {
      throw ErrorCode.EXPIRED.fault(
          "the callback URL has expired", "the call no longer accepts a result");
    }
    return new VerifiedCallback(callId);
  }

  private String signature(String callId, long expires) {
    try {
      Mac mac = Mac.getInstance(ALGORITHM);
      mac.init(new SecretKeySpec(key(), ALGORITHM));
      byte[] text = (callId + "/" + expires).getBytes(StandardCharsets.UTF_8);
      return Base64.getUrlEncoder().withoutPadding().encodeToString(mac.doFinal(text));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  /// One key for all daemons of the database, created on first use.
  private byte[] key() {
    byte[] known = key;
    if (known == null) {
      var fresh = new byte[KEY_BYTES];
      new SecureRandom().nextBytes(fresh);
      String offered = Base64.getEncoder().encodeToString(fresh);
      String kept =
          database.<String>transact(tx -> {
            tx.update(
                "insert into signing_key (name, value) values (?, ?) on conflict do nothing",
                NAME,
                offered);
            return tx.find(
                    "select value from signing_key where name = ?", row -> row.text("value"), NAME)
                .orElseThrow();
          });
      key = known = Base64.getDecoder().decode(kept);
    }
    return known;
  }
}
