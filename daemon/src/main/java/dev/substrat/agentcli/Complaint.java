package dev.substrat.agentcli;

import dev.substrat.provider.Provider.Outcome;
import java.util.regex.Pattern;

/// Why a CLI could not go on, by its own words. They are all we have: exit codes say little, and
/// some say that all is well.
final class Complaint {
  /// Nobody gets further with the same key, or with none.
  private static final Pattern NO_ACCESS =
      Pattern.compile(
          "\\b401\\b|unauthori[sz]ed|authentication|invalid (x-)?api.?key|api key not valid"
              + "|incorrect api key|not logged in|please (run /login|log ?in)|login required"
              + "|no auth|needs? (a )?login|missing api key|api key (is )?(missing|required)",
          Pattern.CASE_INSENSITIVE);

  private static final Pattern BUSY =
      Pattern.compile(
          "\\b(429|503|529)\\b|rate.?limit|overloaded|too many requests|quota|capacity",
          Pattern.CASE_INSENSITIVE);

  private static final int LONGEST = 2_000;

  private Complaint() {}

  /// What a turn that ended with these words came to. A busy service may have time later; without
  /// access there is no later.
  static Outcome outcome(String cli, String words) {
    String said = words.length() <= LONGEST ? words : words.substring(0, LONGEST) + "…";
    if (BUSY.matcher(said).find()) {
      return new Outcome.Failed(cli + " was turned away for now: " + said);
    }
    return NO_ACCESS.matcher(said).find()
        ? new Outcome.Hopeless(cli + " has no access; give its agent a key or a login: " + said)
        : new Outcome.Failed(said);
  }
}
