package dev.substrat.cli.space;

import com.fasterxml.jackson.databind.JsonNode;
import dev.substrat.cli.client.DaemonClient;
import dev.substrat.protocol.ErrorCode;
import java.util.regex.Pattern;

/// Resolves a message from its number in a space or its id.
///
/// The API uses ids; people use the short numbers.
record MessageReference(DaemonClient daemon) {
  private static final Pattern NUMBER = Pattern.compile("#?(\\d{1,18})");
  private static final Pattern IN_A_SPACE = Pattern.compile("([^#]+)#(\\d{1,18})");

  /// A message in a known space: `12`, `general#12` or an id.
  String idIn(String space, String typed) {
    var number = NUMBER.matcher(typed);
    return number.matches() ? numbered(space, Long.parseLong(number.group(1))) : id(typed);
  }

  /// A message in any space: `general#12` or an id.
  String id(String typed) {
    var both = IN_A_SPACE.matcher(typed);
    if (both.matches()) {
      return numbered(both.group(1), Long.parseLong(both.group(2)));
    }
    if (NUMBER.matcher(typed).matches()) {
      throw ErrorCode.INVALID_ARGUMENTS.fault(
          "message number %s needs a space".formatted(typed),
          "add the space: general#" + typed.replace("#", ""));
    }
    return typed;
  }

  private String numbered(String space, long number) {
    String messages = DaemonClient.path("/api/spaces/", space) + "/messages";
    JsonNode page =
        daemon.read(
            DaemonClient.query(messages, "limit", "1", "afterSeq", String.valueOf(number - 1)));
    JsonNode found = page.path("messages").path(0);
    if (found.path("seq").asLong() == number) {
      return found.path("id").asText();
    }
    throw ErrorCode.NOT_FOUND.fault(
        "message %d not found in %s; the last is %d"
            .formatted(number, space, page.path("lastSeq").asLong()),
        "list messages with: ./substrat space read %s".formatted(space));
  }
}
