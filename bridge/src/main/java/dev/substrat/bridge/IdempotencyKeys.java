package dev.substrat.bridge;

import java.io.FileInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/// Idempotency keys for requests, so that a retried request is executed once.
final class IdempotencyKeys {
  private static final int MAX_LENGTH = 100;

  private volatile String instance = fresh();

  /// Random bytes from the kernel: the JDK's generator takes too long to load.
  private static String fresh() {
    try (var random = new FileInputStream("/dev/urandom")) {
      return HexFormat.of().formatHex(random.readNBytes(12));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// Starts a new series: after another `initialize` a client may reuse ids.
  void renew() {
    instance = fresh();
  }

  String of(String id) {
    return instance
        + "/"
        + (id.length() <= MAX_LENGTH && RequestHeadBuilder.isPlain(id) ? id : digest(id));
  }

  String renewal(int number) {
    return instance + "/session-" + number;
  }

  private static String digest(String id) {
    try {
      byte[] hash =
          MessageDigest.getInstance("SHA-256").digest(id.getBytes(StandardCharsets.UTF_8));
      return HexFormat.of().formatHex(hash);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }
}
