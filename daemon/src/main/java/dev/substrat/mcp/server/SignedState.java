package dev.substrat.mcp.server;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.mcp.spi.ProtocolError;
import dev.substrat.platform.json.Json;
import dev.substrat.protocol.Fault;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Base64;
import java.util.List;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/// Signed state that a client carries between two rounds of a request. The client cannot change it,
/// use it after its expiry, or use it for another principal or request.
///
/// The key lives as long as the daemon: after a restart the state is rejected and the client starts
/// again.
final class SignedState {
  private static final Duration VALID = Duration.ofMinutes(15);
  private static final String ALGORITHM = "HmacSHA256";

  private final SecretKeySpec key;
  private final InstantSource clock;

  SignedState(InstantSource clock) {
    var secret = new byte[32];
    new SecureRandom().nextBytes(secret);
    this.key = new SecretKeySpec(secret, ALGORITHM);
    this.clock = clock;
  }

  String close(ObjectNode state, String principal, ClientMessage.ClientRequest request) {
    var payload = Json.object().put("for", principal).put("about", digest(request));
    payload.put("until", clock.instant().plus(VALID).toEpochMilli());
    payload.set("state", state);
    byte[] text = Json.bytes(payload);
    return base64(text) + "." + base64(mac(text));
  }

  ObjectNode open(String sealed, String principal, ClientMessage.ClientRequest request) {
    try {
      String[] halves = sealed.split("\\.", -1);
      byte[] text = Base64.getUrlDecoder().decode(halves[0]);
      boolean isOurs =
          halves.length == 2
              && MessageDigest.isEqual(Base64.getUrlDecoder().decode(halves[1]), mac(text));
      if (isOurs) {
        JsonNode payload = Json.parse(text);
        boolean fits =
            payload.path("for").asText().equals(principal)
                && payload.path("about").asText().equals(digest(request))
                && payload.path("until").asLong() > clock.millis();
        if (fits && payload.path("state") instanceof ObjectNode state) {
          return state;
        }
      }
    } catch (IllegalArgumentException | Fault e) {
      // Rejected below.
    }
    throw ProtocolError.badParams("/params/requestState is invalid or expired; retry without it");
  }

  /// Digest of the request without parts that change between rounds.
  private static String digest(ClientMessage.ClientRequest request) {
    ObjectNode salient = request.params().deepCopy();
    salient.remove(List.of("_meta", "inputResponses", "requestState"));
    byte[] text = (request.method() + Json.text(salient)).getBytes(StandardCharsets.UTF_8);
    try {
      return base64(MessageDigest.getInstance("SHA-256").digest(text));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  private byte[] mac(byte[] text) {
    try {
      Mac mac = Mac.getInstance(ALGORITHM);
      mac.init(key);
      return mac.doFinal(text);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  private static String base64(byte[] bytes) {
    return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
  }
}
