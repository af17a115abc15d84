package dev.substrat.bridge;

import java.io.FileInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/// Names each request of this client, so that one that is sent again is done once.
final class IdempotencyKeys {
  private static final int LONGEST = 100;

  private volatile String instance = fresh();

  /// From the kernel directly: the JDK's own generator takes longer to load than all the rest.
  private static String fresh() {
    try (var random = new FileInputStream("/dev/urandom")) {
      return HexFormat.of().formatHex(random.readNBytes(12));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// A client that says `initialize` again may count from one again.
  void renew() {
    instance = fresh();
  }

  String of(String id) {
    return instance + "/" + (id.length() <= LONGEST && RequestHead.isPlain(id) ? id : digest(id));
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
