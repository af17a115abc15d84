package dev.substrat.provider.llm;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.http.client.OutgoingResponseStream;
import dev.substrat.platform.json.Json;
import dev.substrat.provider.llm.ModelFailure.Kind;
import dev.substrat.provider.llm.wire.CallArguments;
import dev.substrat.provider.llm.wire.LlmWire;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Converts an error response of a model API into a failure. `body` contains no secrets any more.
record ModelErrorParser(LlmWire wire, int status, Headers headers, String body) {
  private static final int LONGEST_QUOTE = 500;

  ModelErrorParser(LlmWire wire, OutgoingResponseStream stream, String body) {
    this(wire, stream.status(), stream::header, body);
  }

  /// Looks up a header of the response by its name.
  @FunctionalInterface
  interface Headers {
    Optional<String> find(String name);
  }

  ModelFailure trouble() {
    JsonNode error = error();
    String message = error.path("message").asText(body.isBlank() ? "no reason given" : body);
    return new ModelFailure(kind(error), status + ": " + quote(message), retryAfter(), null);
  }

  private JsonNode error() {
    JsonNode whole =
        CallArguments.parse(body).<JsonNode>map(ObjectNode::deepCopy).orElseGet(this::none);
    return whole.path("error").isTextual() ? none() : whole.path("error");
  }

  private JsonNode none() {
    return Json.object();
  }

  private Kind kind(JsonNode error) {
    boolean isUnpaid = error.path("code").asText().equals("insufficient_quota");
    boolean isBadKey = body.contains("API_KEY_INVALID") || body.contains("API key not valid");
    return switch (status) {
      case 401, 402, 403 -> Kind.LOCKED_OUT;
      case 404 -> Kind.NO_MODEL;
      case 408, 429 -> isUnpaid ? Kind.LOCKED_OUT : Kind.RATE_LIMITED;
      case 413 -> Kind.TOO_LONG;
      default -> {
        if (status >= 500) {
          yield Kind.AWAY;
        }
        yield wire.isTooLong(error) ? Kind.TOO_LONG : isBadKey ? Kind.LOCKED_OUT : Kind.INVALID;
      }
    };
  }

  /// In seconds, in milliseconds (a common extension), or as a date by the server's clock.
  private @Nullable Duration retryAfter() {
    try {
      Optional<String> millis = headers.find("retry-after-ms");
      if (millis.isPresent()) {
        return Duration.ofMillis(Math.max(0, Long.parseLong(millis.get().strip())));
      }
      String said = headers.find("retry-after").orElse("").strip();
      if (said.isEmpty()) {
        return null;
      }
      return said.chars().allMatch(Character::isDigit)
          ? Duration.ofSeconds(Long.parseLong(said))
          : between(headers.find("date").orElse(""), said);
    } catch (NumberFormatException | DateTimeException e) {
      return null;
    }
  }

  private static Duration between(String now, String then) {
    Duration wait = Duration.between(time(now), time(then));
    return wait.isNegative() ? Duration.ZERO : wait;
  }

  private static Instant time(String text) {
    return ZonedDateTime.parse(text, DateTimeFormatter.RFC_1123_DATE_TIME).toInstant();
  }

  private static String quote(String message) {
    String line = message.strip().replaceAll("\\s+", " ");
    return line.length() <= LONGEST_QUOTE ? line : line.substring(0, LONGEST_QUOTE) + "…";
  }
}
