package dev.substrat.cli.client;

import dev.substrat.protocol.ErrorCode;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Stream;

/// A typed id, complete or only its beginning.
public record IdPrefix(String typed) {
  private static final int WHOLE = 36;
  private static final String SHAPE = "[0-9a-f][0-9a-f-]*";

  /// Completes the id from `ids`, which are read only if it is incomplete. Without a match the
  /// typed text is returned, and the daemon reports the error. `things` and `list` are for the
  /// message.
  public String complete(Supplier<Stream<String>> ids, String things, String list) {
    if (typed.length() >= WHOLE || !typed.matches(SHAPE)) {
      return typed;
    }
    List<String> found = ids.get().filter(id -> id.startsWith(typed)).distinct().toList();
    if (found.size() > 1) {
      throw ErrorCode.INVALID_ARGUMENTS.fault(
          "%d %s have an id that begins with %s".formatted(found.size(), things, typed),
          "enter more characters of the id; list the ids with: ./substrat %s".formatted(list));
    }
    return found.isEmpty() ? typed : found.getFirst();
  }
}
