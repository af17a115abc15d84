package dev.substrat.testkit.llm;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Answer of a scripted model, or a failure.
public sealed interface ScriptedAnswer {

  /// It thinks, says something, calls tools; each may be missing.
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

    /// It would have said more, but may not.
    public Says cutByLimit() {
      return new Says(thinking, text, calls, used, Ending.CUT);
    }

    /// A filter does not let it say more.
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

  /// Why it says no more.
  enum Ending {
    OWN,
    CUT,
    WITHHELD
  }

  /// A call of the tool whose name ends so. The arguments are sent as they are, also if they are
  /// not JSON; Gemini leaves out those that are empty.
  record ToolCall(String tool, String arguments) {}

  /// What the answer cost, in tokens.
  record Used(long input, long output) {}

  /// An error in the dialect's own form, perhaps with a `Retry-After`.
  record Refused(int status, String message, @Nullable String retryAfter)
      implements ScriptedAnswer {}

  /// The error that the dialect has for more input than a model can take.
  record TooLong() implements ScriptedAnswer {}

  /// A stream that ends in the middle, without a word.
  record CutOff(Says says, int pieces) implements ScriptedAnswer {}

  /// An answer that takes its time.
  record Slow(Says says, Duration pause) implements ScriptedAnswer {}

  /// Bytes that are no JSON, in an answer that looks fine.
  record Garbled() implements ScriptedAnswer {}

  /// Nothing, until one of both sides goes away.
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
