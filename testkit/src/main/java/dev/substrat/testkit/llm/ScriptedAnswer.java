package dev.substrat.testkit.llm;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Answer of a scripted model, or a failure.
public sealed interface ScriptedAnswer {

  /// Reasoning, text and tool calls; each may be missing.
  record TextAnswer(
      String thinking,
      String text,
      List<ScriptedToolCall> calls,
      TokenUsage used,
      AnswerEnding ending)
      implements ScriptedAnswer {
    public TextAnswer {
      calls = List.copyOf(calls);
    }

    public TextAnswer andCalls(String tool, String arguments) {
      var all = new ArrayList<>(calls);
      all.add(new ScriptedToolCall(tool, arguments));
      return new TextAnswer(thinking, text, all, used, ending);
    }

    public TextAnswer thinking(String thought) {
      return new TextAnswer(thought, text, calls, used, ending);
    }

    public TextAnswer using(long input, long output) {
      return new TextAnswer(thinking, text, calls, new TokenUsage(input, output), ending);
    }

    /// The answer is cut at the token limit.
    public TextAnswer cutByLimit() {
      return new TextAnswer(thinking, text, calls, used, AnswerEnding.CUT);
    }

    /// The answer is cut by a content filter.
    public TextAnswer withheld() {
      return new TextAnswer(thinking, text, calls, used, AnswerEnding.WITHHELD);
    }

    /// The connection is gone after so many pieces.
    public ScriptedAnswer cutAfter(int pieces) {
      return new TruncatedAnswer(this, pieces);
    }

    /// So long before each piece.
    public ScriptedAnswer slowly(Duration pause) {
      return new DelayedAnswer(this, pause);
    }
  }

  /// Reason for the end of the answer.
  enum AnswerEnding {
    OWN,
    CUT,
    WITHHELD
  }

  /// A call of the tool whose name ends with this. The arguments are sent unchanged, also if they
  /// are not JSON; Gemini omits empty ones.
  record ScriptedToolCall(String tool, String arguments) {}

  /// Token usage of the answer.
  record TokenUsage(long input, long output) {}

  /// An error in the dialect's own form, perhaps with a `Retry-After`.
  record ErrorAnswer(int status, String message, @Nullable String retryAfter)
      implements ScriptedAnswer {}

  /// The error that the dialect has for more input than a model can take.
  record ContextTooLong() implements ScriptedAnswer {}

  /// A stream that ends in the middle, without an error.
  record TruncatedAnswer(TextAnswer says, int pieces) implements ScriptedAnswer {}

  /// An answer that takes its time.
  record DelayedAnswer(TextAnswer says, Duration pause) implements ScriptedAnswer {}

  /// Bytes that are not JSON, in an otherwise valid response.
  record MalformedAnswer() implements ScriptedAnswer {}

  /// No response, until one side closes the connection.
  record NoAnswer() implements ScriptedAnswer {}

  static TextAnswer text(String text) {
    return new TextAnswer("", text, List.of(), new TokenUsage(100, 10), AnswerEnding.OWN);
  }

  static TextAnswer call(String tool, String arguments) {
    return text("").andCalls(tool, arguments);
  }

  static ScriptedAnswer refused(int status) {
    return new ErrorAnswer(status, "refused with " + status + ", as scripted", null);
  }

  static ScriptedAnswer refused(int status, String retryAfter) {
    return new ErrorAnswer(status, "come back later, as scripted", retryAfter);
  }
}
