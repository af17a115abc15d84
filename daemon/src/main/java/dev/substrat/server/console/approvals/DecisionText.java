package dev.substrat.server.console.approvals;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.BooleanNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.platform.json.Json;
import dev.substrat.tool.pending.PendingCall;
import dev.substrat.toolset.custom.AnswerForm;
import java.util.Map;
import java.util.stream.Collectors;

/// Outcome of a pending call: a word, a colour and the answer.
public record DecisionText(String outcome, String tone, String answer) {

  public static DecisionText of(PendingCall call) {
    ObjectNode result = call.result() == null ? Json.object() : call.result();
    return switch (call.status()) {
      case PENDING, ASKING -> new DecisionText("waiting for a person", "wait", "");
      case COMPLETED ->
          result.path("declined").asBoolean()
              ? new DecisionText("declined", "bad", words(result.path("reason")))
              : answered(AnswerForm.of(call), result);
      case FAILED -> new DecisionText("failed", "bad", words(result.path("reason")));
      case EXPIRED, CANCELLED -> new DecisionText(call.status().toString(), "bad", "");
    };
  }

  /// Excerpt of the question.
  public static String question(PendingCall call) {
    AnswerForm form = AnswerForm.of(call);
    return QuestionReader.excerpt(form.text().isBlank() ? form.title() : form.text());
  }

  private static DecisionText answered(AnswerForm form, ObjectNode result) {
    return switch (QuestionReader.component(form)) {
      case CONFIRM ->
          switch (result.path("confirmed")) {
            case BooleanNode said when said.asBoolean() ->
                new DecisionText("confirmed", "good", "");
            case BooleanNode _ -> new DecisionText("answered no", "bad", "");
            default -> inOtherWords(form, result);
          };
      case APPROVAL ->
          switch (result.path("approved")) {
            case BooleanNode said when said.asBoolean() ->
                new DecisionText("approved", "good", words(result.path("comment")));
            case BooleanNode _ ->
                new DecisionText("rejected", "bad", words(result.path("comment")));
            default -> inOtherWords(form, result);
          };
      case CHOICE -> said(form, result, "choice");
      case TEXT -> said(form, result, "text");
      case FORM -> inOtherWords(form, result);
    };
  }

  private static DecisionText said(AnswerForm form, ObjectNode result, String key) {
    return result.has(key)
        ? new DecisionText("answered", "good", words(result.path(key)))
        : inOtherWords(form, result);
  }

  /// An answer over HTTP may lack the expected value. It is neither yes nor no.
  private static DecisionText inOtherWords(AnswerForm form, ObjectNode result) {
    return new DecisionText("answered", "good", filledIn(form, result));
  }

  private static String filledIn(AnswerForm form, ObjectNode result) {
    JsonNode properties = form.schema().path("properties");
    return QuestionReader.excerpt(
        result
            .propertyStream()
            .map((Map.Entry<String, JsonNode> one) ->
                AnswerFormReader.label(properties.path(one.getKey()), one.getKey())
                    + ": "
                    + words(one.getValue()))
            .collect(Collectors.joining(" · ")));
  }

  private static String words(JsonNode value) {
    return value.isBoolean()
        ? value.asBoolean() ? "yes" : "no"
        : QuestionReader.excerpt(QuestionReader.words(value));
  }
}
