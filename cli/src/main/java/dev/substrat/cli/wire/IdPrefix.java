package dev.substrat.cli.wire;

import dev.substrat.protocol.ErrorCode;
import dev.substrat.protocol.Fault;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Stream;

/// An id as somebody typed it: whole, or only how it begins.
public record IdPrefix(String typed) {
  private static final int WHOLE = 36;
  private static final String SHAPE = "[0-9a-f][0-9a-f-]*";

  /// The one of `ids` that begins like this; they are asked for only if it is not whole. If there
  /// is none, the daemon may say so itself. `things` is what they are, `list` where to see them.
  public String whole(Supplier<Stream<String>> ids, String things, String list) {
    if (typed.length() >= WHOLE || !typed.matches(SHAPE)) {
      return typed;
    }
    List<String> found = ids.get().filter(id -> id.startsWith(typed)).distinct().toList();
    if (found.size() > 1) {
      throw new Fault(
          ErrorCode.INVALID_ARGUMENTS,
          "%d %s begin with %s".formatted(found.size(), things, typed),
          "type more of the id; ./substrat %s shows them".formatted(list));
    }
    return found.isEmpty() ? typed : found.getFirst();
  }
}
