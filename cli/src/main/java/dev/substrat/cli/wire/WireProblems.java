package dev.substrat.cli.wire;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.protocol.ErrorCode;
import dev.substrat.protocol.Fault;
import dev.substrat.protocol.Problem;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/// Failures on their way over the wire: from a daemon's JSON to a fault, and from a fault to JSON.
public final class WireProblems {
  private static final int OK = 200;

  private WireProblems() {}

  /// A daemon newer than this command may know codes that we do not. They count as internal, but
  /// their name is shown, because it is what the reader will search for.
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
    return new Fault(ErrorCode.INTERNAL, shown, hint, details(json));
  }

  /// A result that says it is a failure, as tools give it, is one.
  public static JsonNode requireWell(JsonNode result) {
    if (result.path("error").isBoolean()
        && result.path("error").asBoolean()
        && result.path("code").isTextual()) {
      throw fault(OK, result);
    }
    return result;
  }

  /// The same of a tool. What a service said itself goes along: that is what its owner looks for.
  public static JsonNode requireDone(JsonNode result) {
    try {
      return requireWell(result);
    } catch (Fault fault) {
      var said = new ArrayList<Problem.Detail>();
      Stream.ofNullable(fault.problem().details()).forEach(said::addAll);
      for (String key : List.of("status", "excerpt")) {
        if (result.path(key).isValueNode() && !result.path(key).asText().isBlank()) {
          said.add(new Problem.Detail("/" + key, result.path(key).asText()));
        }
      }
      throw new Fault(fault.code(), fault.message(), fault.hint(), said);
    }
  }

  /// A mistake as messages tell it, which somebody reads who types commands.
  public static String sentence(Problem.Detail detail) {
    return InputPointers.named(detail.pointer()) + " " + detail.message();
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
