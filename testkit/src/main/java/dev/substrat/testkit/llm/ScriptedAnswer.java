package dev.substrat.testkit.llm;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Answer of a scripted model, or a failure.
public sealed interface ScriptedAnswer {

  /// Reasoning, text and tool calls; each may be missing.
  record Says(String thinking, String text, List<ToolCall> calls, Used used, Ending ending)
      implements ScriptedAnswer {
    public Says {
      calls = List.copyOf(calls);
    }

    public Says andCalls(String tool, String arguments) {
      var all = new ArrayList<>(calls);
      all.add(new ToolCall(tool, arguments));
      return new Says(thinking, text, all, used, ending);
    }

    public Says thinking(String thought) {
      return new Says(thought, text, calls, used, ending);
    }

    public Says using(long input, long output) {
      return new Says(thinking, text, calls, new Used(input, output), ending);
    }

    /// The answer is cut at the token limit.
    public Says cutByLimit() {
      return new Says(thinking, text, calls, used, Ending.CUT);
    }

    /// The answer is cut by a content filter.
    public Says withheld() {
      return new Says(thinking, text, calls, used, Ending.WITHHELD);
    }

    /// The connection is gone after so many pieces.
    public ScriptedAnswer cutAfter(int pieces) {
      return new CutOff(this, pieces);
    }

    /// So long before each piece.
    public ScriptedAnswer slowly(Duration pause) {
      return new Slow(this, pause);
    }
  }

  /// Reason for the end of the answer.
  enum Ending {
    OWN,
    CUT,
    WITHHELD
  }

  /// A call of the tool whose name ends with this. The arguments are sent unchanged, also if they
  /// are not JSON; Gemini omits empty ones.
  record ToolCall(String tool, String arguments) {}

  /// Token usage of the answer.
  record Used(long input, long output) {}

  /// An error in the dialect's own form, perhaps with a `Retry-After`.
  record Refused(int status, String message, @Nullable String retryAfter)
      implements ScriptedAnswer {}

  /// The error that the dialect has for more input than a model can take.
  record TooLong() implements ScriptedAnswer {}

  /// A stream that ends in the middle, without an error.
  record CutOff(Says says, int pieces) implements ScriptedAnswer {}

  /// An answer that takes its time.
  record Slow(Says says, Duration pause) implements ScriptedAnswer {}

  /// Bytes that are not JSON, in an otherwise valid response.
  record Garbled() implements ScriptedAnswer {}

  /// No response, until one side closes the connection.
  record Silence() implements ScriptedAnswer {}

  static Says text(String text) {
    return new Says("", text, List.of(), new Used(100, 10), Ending.OWN);
  }

  static Says call(String tool, String arguments) {
    return text("").andCalls(tool, arguments);
  }

  static ScriptedAnswer refused(int status) {
    return new Refused(status, "refused with " + status + ", as the script wanted it", null);
  }

  static ScriptedAnswer refused(int status, String retryAfter) {
    return new Refused(status, "come back later, as the script wanted it", retryAfter);
  }
}
