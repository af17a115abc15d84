package dev.substrat.access.credential;

import dev.substrat.platform.identity.CredentialId;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.HexFormat;
import java.util.Optional;

/// A token: `substrat_<id>_<secret>`.
///
/// The prefix lets secret scanners recognise it. The secret has 256 random bits, so a plain hash is
/// enough to store it: it cannot be guessed.
public record Token(CredentialId id, String secret) {
  private static final String PREFIX = "substrat";
  private static final SecureRandom RANDOM = new SecureRandom();

  /// Maximum length of an id; ours have 36 characters. Ids of wrong tokens are cached for a while,
  /// so they must be short.
  private static final int MAX_ID_LENGTH = 64;

  static Token random() {
    var bytes = new byte[32];
    RANDOM.nextBytes(bytes);
    return new Token(
        CredentialId.random(), Base64.getUrlEncoder().withoutPadding().encodeToString(bytes));
  }

  /// A random token that was never issued and is never accepted, for replayed turns.
  public static Token unissued() {
    return random();
  }

  public static Optional<Token> parse(String text) {
    String[] parts = text.split("_", 3);
    return parts.length == 3 && parts[0].equals(PREFIX) && parts[1].length() <= MAX_ID_LENGTH
        ? Optional.of(new Token(new CredentialId(parts[1]), parts[2]))
        : Optional.empty();
  }

  /// The full token; never log it.
  public String text() {
    return PREFIX + "_" + id + "_" + secret;
  }

  String hash() {
    return hash(secret);
  }

  /// Hash of a session. It differs from that of a token, so that neither is accepted as the other.
  String sessionHash() {
    return hash("session " + secret);
  }

  private static String hash(String text) {
    try {
      byte[] digest =
          MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
      return HexFormat.of().formatHex(digest);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  /// Constant-time comparison.
  static boolean isSame(String hash, String knownHash) {
    return MessageDigest.isEqual(
        hash.getBytes(StandardCharsets.US_ASCII), knownHash.getBytes(StandardCharsets.US_ASCII));
  }

  @Override
  public String toString() {
    return "Token[" + id + "]";
  }
}
