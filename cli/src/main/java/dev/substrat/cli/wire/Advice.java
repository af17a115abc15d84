package dev.substrat.cli.wire;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Pattern;

/// What the daemon advises, for somebody who types commands.
///
/// Half of its readers send requests, so it names paths and keys; here each becomes the command or
/// option that does the same. Advice that still names a path is none.
final class Advice {
  private static final Map<String, String> WORDS = new LinkedHashMap<>();

  static {
    // Longer ones first: the shorter ones are their beginnings.
    WORDS.put("GET /api/runs/{id}/steps lists", "./substrat run show RUN lists");
    WORDS.put("GET /api/runs/{id}/messages tells", "./substrat run show RUN tells");
    WORDS.put("GET /api/runs", "./substrat run list");
    WORDS.put("(GET /api/agents, ./substrat agent list)", "with ./substrat agent list");
    WORDS.put("GET /api/agents", "./substrat agent list");
    WORDS.put("(POST /api/tokens, ./substrat token create)", "with ./substrat token create");
    WORDS.put("GET /api/tokens", "./substrat token list");
    WORDS.put("POST /api/tokens, ./substrat token create", "./substrat token create");
    WORDS.put("(GET /api/people)", "with ./substrat token list");
    WORDS.put("(/api/spaces, ./substrat space)", "with ./substrat space");
    WORDS.put("GET /api/inbox", "./substrat inbox");
    WORDS.put("GET /api/pending lists those", "./substrat pending list shows those");
    WORDS.put(
        "send `Authorization: Bearer TOKEN`; the operator's is in operator.token",
        "commands use the token in operator.token of the data directory (--data); a restart of the"
            + " daemon writes it again");
    WORDS.put("/fromStep", "--from-step");
    WORDS.put("/graceSeconds", "--grace");
  }

  private static final Pattern PATH = Pattern.compile("\\b(GET|POST|PUT|DELETE) /|/api/");

  private Advice() {}

  static String hint(String said) {
    String told = message(said);
    return PATH.matcher(told).find() ? "./substrat --help lists what there is" : told;
  }

  static String message(String said) {
    String told = said;
    for (var word : WORDS.entrySet()) {
      told = told.replace(word.getKey(), word.getValue());
    }
    return told;
  }
}
