package dev.substrat.cli.client;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.protocol.ErrorCode;
import dev.substrat.protocol.Fault;
import dev.substrat.protocol.Problem;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// Converts errors between the daemon's JSON and faults.
public final class ProblemConverter {
  private static final Map<String, String> WORDS = new LinkedHashMap<>();

  /// A request together with the equivalent command.
  private static final Pattern BOTH =
      Pattern.compile("\\((?:GET|POST|PUT|DELETE) /\\S+, (\\./substrat [^)]+)\\)");

  /// A request in parentheses, beside a text that is complete without it.
  private static final Pattern REQUEST = Pattern.compile(" \\((?:GET|POST|PUT|DELETE) /[^)]*\\)");

  private static final Pattern PATH = Pattern.compile("\\b(GET|POST|PUT|DELETE) /|/api/");
  private static final int OK = 200;

  private ProblemConverter() {}

  /// Unknown codes of a newer daemon count as internal errors; the message includes their name.
  static Fault fault(int status, JsonNode json) {
    String name = json.path("code").asText("");
    String message =
        message(json.path("message").asText("the daemon answered with HTTP status " + status));
    String hint = hint(json.path("hint").asText("see the daemon's log"));
    for (ErrorCode code : ErrorCode.values()) {
      if (code.name().equals(name)) {
        return new Fault(code, message, hint, details(json));
      }
    }
    String shown = name.isEmpty() ? message : name + ": " + message;
    return ErrorCode.INTERNAL.fault(shown, hint, details(json));
  }

  /// Throws a fault if the result is an error object.
  public static JsonNode requireSuccess(JsonNode result) {
    if (result.path("error").isBoolean()
        && result.path("error").asBoolean()
        && result.path("code").isTextual()) {
      throw fault(OK, result);
    }
    return result;
  }

  /// The same for tools. Details include the status and excerpt of the service's response.
  public static JsonNode requireToolSuccess(JsonNode result) {
    try {
      return requireSuccess(result);
    } catch (Fault fault) {
      var details = new ArrayList<Problem.ProblemDetail>();
      Stream.ofNullable(fault.problem().details()).forEach(details::addAll);
      for (String key : List.of("status", "excerpt")) {
        if (result.path(key).isValueNode() && !result.path(key).asText().isBlank()) {
          details.add(new Problem.ProblemDetail("/" + key, result.path(key).asText()));
        }
      }
      throw new Fault(fault.code(), fault.message(), fault.hint(), details);
    }
  }

  /// A detail as text, with names of options instead of pointers.
  public static String sentence(Problem.ProblemDetail detail) {
    return PointerTranslator.replaceIn(detail.pointer()) + " " + detail.message();
  }

  private static List<Problem.ProblemDetail> details(JsonNode json) {
    var details = new ArrayList<Problem.ProblemDetail>();
    for (JsonNode detail : json.path("details")) {
      details.add(
          new Problem.ProblemDetail(
              detail.path("pointer").asText(), message(detail.path("message").asText())));
    }
    return details;
  }

  public static ObjectNode json(Problem problem) {
    var json =
        JsonTree.object()
            .put("error", true)
            .put("code", problem.code())
            .put("message", problem.message())
            .put("hint", problem.hint());
    var details = problem.details();
    if (details != null) {
      var list = json.putArray("details");
      details.forEach(detail ->
          list.addObject().put("pointer", detail.pointer()).put("message", detail.message()));
    }
    return json;
  }

  // The daemon's error texts name HTTP paths and JSON keys; here they become commands and options.
  static {
    WORDS.put("GET /api/runs/{id}/steps lists", "./substrat run show RUN lists");
    WORDS.put("POST /api/tokens, ./substrat token create", "./substrat token create");
    WORDS.put("(GET /api/people)", "with ./substrat person list");
    WORDS.put("(/api/spaces, ./substrat space)", "with ./substrat space");
    WORDS.put("with: GET /api/inbox", "with: ./substrat inbox");
    WORDS.put(
        "send `Authorization: Bearer TOKEN`; the operator's token is in operator.token",
        "commands use the token in operator.token in the data directory (--data); the daemon writes"
            + " it when it starts");
    WORDS.put("and send the snapshot again", "and try again");
    WORDS.put("or store the rest with store_memory", "or raise its limit with --limit");
    WORDS.put("one of cron, scheduledAt, runAfter", "one of --cron, --at, --after");
    WORDS.put("for example \"cron\":\"0 9 * * *\"", "for example --cron \"0 9 * * *\"");
  }

  /// A hint that still contains a path after the translation is replaced.
  private static String hint(String text) {
    String translated = message(text);
    return PATH.matcher(translated).find() ? "list commands with: ./substrat --help" : translated;
  }

  private static String message(String text) {
    String translated = BOTH.matcher(text).replaceAll(match -> "with " + quoted(match));
    for (var word : WORDS.entrySet()) {
      translated = translated.replace(word.getKey(), word.getValue());
    }
    return PointerTranslator.replaceIn(REQUEST.matcher(translated).replaceAll(""));
  }

  private static String quoted(MatchResult match) {
    return Matcher.quoteReplacement(match.group(1));
  }
}
