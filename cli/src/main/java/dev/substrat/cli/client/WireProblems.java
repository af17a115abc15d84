package dev.substrat.cli.client;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.protocol.ErrorCode;
import dev.substrat.protocol.Fault;
import dev.substrat.protocol.Problem;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/// Converts errors between the daemon's JSON and faults.
public final class WireProblems {
  private static final int OK = 200;

  private WireProblems() {}

  /// Unknown codes of a newer daemon count as internal errors; the message includes their name.
  static Fault fault(int status, JsonNode json) {
    String name = json.path("code").asText("");
    String message =
        ErrorHints.message(json.path("message").asText("the daemon answered " + status));
    String hint = ErrorHints.hint(json.path("hint").asText("see the daemon's log"));
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
      var details = new ArrayList<Problem.Detail>();
      Stream.ofNullable(fault.problem().details()).forEach(details::addAll);
      for (String key : List.of("status", "excerpt")) {
        if (result.path(key).isValueNode() && !result.path(key).asText().isBlank()) {
          details.add(new Problem.Detail("/" + key, result.path(key).asText()));
        }
      }
      throw new Fault(fault.code(), fault.message(), fault.hint(), details);
    }
  }

  /// A detail as text, with names of options instead of pointers.
  public static String sentence(Problem.Detail detail) {
    return InputPointers.replaceIn(detail.pointer()) + " " + detail.message();
  }

  private static List<Problem.Detail> details(JsonNode json) {
    var details = new ArrayList<Problem.Detail>();
    for (JsonNode detail : json.path("details")) {
      details.add(
          new Problem.Detail(
              detail.path("pointer").asText(),
              ErrorHints.message(detail.path("message").asText())));
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
}
