package dev.substrat.schedule;

import dev.substrat.protocol.ErrorCode;
import dev.substrat.protocol.Fault;
import dev.substrat.protocol.Problem;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// JSON pointer into the input of a request, for error messages.
record InputPointer(String pointer) {

  InputPointer in(String key) {
    return new InputPointer(pointer + "/" + key);
  }

  InputPointer at(int index) {
    return new InputPointer(pointer + "/" + index);
  }

  Fault wrong(String what, String hint) {
    return ErrorCode.INVALID_ARGUMENTS.fault(
        pointer + " " + what, hint, List.of(new Problem.ProblemDetail(pointer, what)));
  }

  /// A required text with a maximum length.
  String require(@Nullable String text, int longest) {
    if (text == null) {
      throw wrong("is missing", "the key is required for a new entry");
    }
    if (text.isBlank() || text.length() > longest) {
      throw wrong(
          "must have 1 to " + longest + " characters", "use a shorter text; it must not be empty");
    }
    return text;
  }

  /// Limits the number of entries per call.
  void require(List<?> drafts, int most) {
    if (drafts.isEmpty() || drafts.size() > most) {
      throw wrong(
          "must have 1 to %d entries, but has %d".formatted(most, drafts.size()),
          drafts.isEmpty() ? "add an entry, or skip the call" : "use several calls");
    }
  }

  static Fault unknown(String what, String id) {
    return ErrorCode.NOT_FOUND.fault(
        "this agent has no %s %s".formatted(what, id), "omit the id to create a new entry");
  }
}
