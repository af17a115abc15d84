package dev.substrat.server.console.approvals;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.BooleanNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.platform.json.Json;
import dev.substrat.tool.pending.PendingCall;
import dev.substrat.toolset.custom.AnswerForm;
import java.util.Map;
import java.util.stream.Collectors;

/// How a call that waited for somebody came out, as people say it: in a word and a colour, and what
/// else was said.
public record Decision(String outcome, String tone, String answer) {

  public static Decision of(PendingCall call) {
    ObjectNode result = call.result() == null ? Json.object() : call.result();
    return switch (call.status()) {
      case PENDING, ASKING -> new Decision("waits for somebody", "wait", "");
      case COMPLETED ->
          result.path("declined").asBoolean()
              ? new Decision("declined", "bad", words(result.path("reason")))
              : answered(AnswerForm.of(call), result);
      case FAILED -> new Decision("failed", "bad", words(result.path("reason")));
      case EXPIRED, CANCELLED -> new Decision(call.status().toString(), "bad", "");
    };
  }

  /// What was asked, in the words of whoever did.
  public static String question(PendingCall call) {
    AnswerForm form = AnswerForm.of(call);
    return Asking.excerpt(form.text().isBlank() ? form.title() : form.text());
  }

  private static Decision answered(AnswerForm form, ObjectNode result) {
    return switch (Asking.component(form)) {
      case CONFIRM ->
          switch (result.path("confirmed")) {
            case BooleanNode said when said.asBoolean() -> new Decision("confirmed", "good", "");
            case BooleanNode _ -> new Decision("said no", "bad", "");
            default -> inOtherWords(form, result);
          };
      case APPROVAL ->
          switch (result.path("approved")) {
            case BooleanNode said when said.asBoolean() ->
                new Decision("approved", "good", words(result.path("comment")));
            case BooleanNode _ -> new Decision("rejected", "bad", words(result.path("comment")));
            default -> inOtherWords(form, result);
          };
      case CHOICE -> said(form, result, "choice");
      case TEXT -> said(form, result, "text");
      case FORM -> inOtherWords(form, result);
    };
  }

  private static Decision said(AnswerForm form, ObjectNode result, String key) {
    return result.has(key)
        ? new Decision("answered", "good", words(result.path(key)))
        : inOtherWords(form, result);
  }

  /// Over HTTP one may answer without the value that was asked for. That is no yes and no no.
  private static Decision inOtherWords(AnswerForm form, ObjectNode result) {
    return new Decision("answered", "good", filledIn(form, result));
  }

  private static String filledIn(AnswerForm form, ObjectNode result) {
    JsonNode properties = form.schema().path("properties");
    return Asking.excerpt(
        result
            .propertyStream()
            .map((Map.Entry<String, JsonNode> one) ->
                Answering.label(properties.path(one.getKey()), one.getKey())
                    + ": "
                    + words(one.getValue()))
            .collect(Collectors.joining(" · ")));
  }

  private static String words(JsonNode value) {
    return value.isBoolean()
        ? value.asBoolean() ? "yes" : "no"
        : Asking.excerpt(Asking.words(value));
  }
}
