package dev.substrat.cli.space;

import com.fasterxml.jackson.databind.JsonNode;
import dev.substrat.cli.wire.DaemonClient;
import dev.substrat.protocol.ErrorCode;
import dev.substrat.protocol.Fault;
import java.util.regex.Pattern;

/// How people name a message: by the number that stands beside it in its space, or by its id.
///
/// The daemon knows messages by their ids; what people see are numbers, which are short.
record MessageReference(DaemonClient daemon) {
  private static final Pattern NUMBER = Pattern.compile("#?(\\d{1,18})");
  private static final Pattern IN_A_SPACE = Pattern.compile("([^#]+)#(\\d{1,18})");

  /// Of a message in a space that is known: `12`, `general#12` or an id.
  String idIn(String space, String typed) {
    var number = NUMBER.matcher(typed);
    return number.matches() ? numbered(space, Long.parseLong(number.group(1))) : id(typed);
  }

  /// Of a message anywhere: `general#12` or an id.
  String id(String typed) {
    var both = IN_A_SPACE.matcher(typed);
    if (both.matches()) {
      return numbered(both.group(1), Long.parseLong(both.group(2)));
    }
    if (NUMBER.matcher(typed).matches()) {
      throw new Fault(
          ErrorCode.INVALID_ARGUMENTS,
          "every space has a message " + typed,
          "say in which: general#" + typed.replace("#", ""));
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
    throw new Fault(
        ErrorCode.NOT_FOUND,
        "there is no message %d in %s; the last is %d"
            .formatted(number, space, page.path("lastSeq").asLong()),
        "./substrat space read %s shows the numbers".formatted(space));
  }
}
