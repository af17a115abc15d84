package dev.substrat.provider.agentcli;

import dev.substrat.provider.Provider.TurnOutcome;
import java.time.Duration;
import java.util.regex.Pattern;

/// Classifies the failure of a CLI by its output. Exit codes say little, and some CLIs exit with 0
/// after an error.
///
/// Patterns match only the wording of APIs and CLIs: a file may be called authentication, and a
/// line may have the number 401.
public final class CliError {
  private static final String NUMBER = "\\b(?:error|status|http|(?:status)?.?code)\\W{0,4}";

  /// The API key or login is missing or invalid.
  private static final Pattern NO_ACCESS =
      Pattern.compile(
          NUMBER
              + "401\\b|\\b401\\W+unauthori[sz]ed|\\bunauthenticated\\b"
              + "|authentication[_ ](error|failed|failure|required)|failed to authenticate"
              + "|not authenticated|invalid (x-)?api.?key|api key not valid|incorrect api key"
              + "|not logged in|please (run /login|log ?in)|login required|needs? (a )?login"
              + "|no auth (credentials|type|method)|missing api key"
              + "|api key (is )?(missing|required)",
          Pattern.CASE_INSENSITIVE);

  /// Overloaded or not reachable.
  private static final Pattern BUSY =
      Pattern.compile(
          NUMBER
              + "(429|503|529)\\b|\\b(429|503|529)\\W+(too many|service|overloaded|rate)"
              + "|rate.?limit(ed|s? exceeded|s? reached|_error|_exceeded| hit)"
              + "|overloaded_error|(is|currently|model|server|api) overloaded|too many requests"
              + "|usage limit reached|(?<!disk )quota (is )?(exceeded|exhausted|reached)"
              + "|exceeded your (current )?quota|resource_exhausted|(at|over) capacity"
              + "|network error: could not connect",
          Pattern.CASE_INSENSITIVE);

  /// The model does not exist.
  private static final Pattern NO_MODEL =
      Pattern.compile(
          NUMBER
              + "404\\b|\\bnot found \\(404\\)|\\b404\\W+(page )?not found"
              + "|model_?not_?found|\\bmodel not found\\b|\\bno (model|provider) configured\\b"
              + "|\\bmodel [\"'`][^\"'`\\s]+[\"'`] (is )?(not (found|available|supported)|does not exist)"
              + "|issue with the selected model|is not a valid model",
          Pattern.CASE_INSENSITIVE);

  private static final int MAX_LENGTH = 2_000;

  private CliError() {}

  /// Outcome of a failed turn with this error text. If the service is overloaded, the turn is
  /// postponed, unless it has had costs. Without access or model, a retry would fail again.
  public static TurnOutcome outcome(String cli, String words, boolean hasCost) {
    return outcome(cli, words, words, hasCost);
  }

  /// The same with `story` as the text for people. Only `words` are classified, because a story may
  /// quote other texts.
  static TurnOutcome outcome(String cli, String words, String story, boolean hasCost) {
    String said = cut(words);
    String text = cut(story);
    if (BUSY.matcher(said).find()) {
      String reason = cli + " is rate limited or overloaded: " + text;
      return hasCost
          ? new TurnOutcome.TurnFailed(reason)
          : new TurnOutcome.TurnPostponed(Duration.ZERO, reason);
    }
    if (NO_ACCESS.matcher(said).find()) {
      return new TurnOutcome.UnrecoverableFailure(
          cli + " is not authenticated; configure an API key or log in: " + text);
    }
    return NO_MODEL.matcher(said).find()
        ? new TurnOutcome.UnrecoverableFailure(
            cli + " does not know the model; check /provider/model and /provider/baseUrl: " + text)
        : new TurnOutcome.TurnFailed(text);
  }

  private static String cut(String words) {
    return words.length() <= MAX_LENGTH ? words : words.substring(0, MAX_LENGTH) + "…";
  }
}
