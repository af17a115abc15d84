package dev.substrat.provider.scripted;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.access.budget.BudgetKind;
import dev.substrat.access.budget.BudgetReservation;
import dev.substrat.platform.config.DurationParser;
import dev.substrat.platform.json.Json;
import dev.substrat.platform.json.JsonSchema;
import dev.substrat.protocol.ErrorCode;
import dev.substrat.protocol.Fault;
import java.util.List;
import java.util.Objects;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Rules of a scripted agent: for each event, the first rule that matches runs its steps.
record Playbook(List<PlaybookRule> rules) {
  private static final JsonSchema SCHEMA = JsonSchema.ofRecord(Playbook.class);

  /// Name of the turn's subject in placeholders.
  static final String SUBJECT = "subject";

  private static final Pattern READS_SUBJECT = Pattern.compile("\\{\\{\\s*" + SUBJECT + "\\b");

  /// Whether any step reads the turn's subject.
  boolean readsSubject() {
    return rules.stream()
        .flatMap(rule -> rule.steps().stream())
        .anyMatch(step -> READS_SUBJECT.matcher(Json.text(step)).find());
  }

  /// One rule. Without `when` it matches every event.
  record PlaybookRule(
      @Nullable EventCondition when, @JsonProperty("do") List<PlaybookStep> steps) {}

  /// Conditions for an event; every key is optional, `text` is a regular expression.
  record EventCondition(@Nullable String kind, @Nullable String from, @Nullable String text) {

    boolean matches(JsonNode event) {
      return isSame(kind, event.path("kind").asText())
          && isSame(from, event.path("from").asText())
          && (text == null || Pattern.compile(text).matcher(event.path("text").asText()).find());
    }

    private static boolean isSame(@Nullable String wanted, String actual) {
      return wanted == null || wanted.equalsIgnoreCase(actual);
    }
  }

  /// One step; exactly one of its actions is set.
  record PlaybookStep(
      @Nullable String call,
      @JsonProperty("with") @Nullable ObjectNode arguments,
      @Nullable String save,
      @Nullable String say,
      @Nullable String sleep,
      @Nullable SimulatedUsage use,
      @Nullable String fail,
      @Nullable Boolean crash,
      @Nullable Boolean hang) {}

  /// Simulated usage of a model request, to test budgets without a model.
  record SimulatedUsage(@Nullable Long tokens, @Nullable Double usd) {

    BudgetReservation amount() {
      return new BudgetReservation(
          tokens == null ? 0 : tokens, usd == null ? 0 : BudgetKind.USD.amount(usd));
    }

    private boolean isValid() {
      return (tokens == null || tokens >= 0) && (usd == null || usd >= 0) && !amount().isNone();
    }
  }

  static Playbook parse(JsonNode json) {
    var wrapped = Json.object().set("rules", json);
    requireShape(wrapped);
    var playbook = Json.as(wrapped, Playbook.class);
    for (int rule = 0; rule < playbook.rules.size(); rule++) {
      check(playbook.rules.get(rule), "/provider/playbook/" + rule);
    }
    return playbook;
  }

  /// The error names the path in the agent's configuration.
  private static void requireShape(JsonNode wrapped) {
    try {
      SCHEMA.require(wrapped);
    } catch (Fault fault) {
      throw invalid(
          fault.message().replace("/rules", "/provider/playbook"),
          "a playbook is a list of rules with `when` (kind, from, text) and `do`");
    }
  }

  private static void check(PlaybookRule rule, String where) {
    if (rule.when != null && rule.when.text != null) {
      checkPattern(rule.when.text, where);
    }
    for (int i = 0; i < rule.steps.size(); i++) {
      PlaybookStep step = rule.steps.get(i);
      long verbs =
          Stream.of(step.call, step.say, step.sleep, step.use, step.fail, step.crash, step.hang)
              .filter(Objects::nonNull)
              .count();
      if (verbs != 1 || (step.call == null && (step.arguments != null || step.save != null))) {
        throw invalid(
            where
                + "/do/"
                + i
                + " must have exactly one of call, say, sleep, use, fail, crash, hang",
            "`with` and `save` are only allowed beside `call`");
      }
      if (step.sleep != null) {
        DurationParser.parse(step.sleep);
      }
      if (step.use != null && !step.use.isValid()) {
        throw invalid(
            where + "/do/" + i + "/use is empty", "for example use: { tokens: 1200, usd: 0.02 }");
      }
    }
  }

  private static void checkPattern(String pattern, String where) {
    try {
      Pattern.compile(pattern);
    } catch (PatternSyntaxException e) {
      throw invalid(where + "/when/text is not a regular expression: " + e.getDescription(), "");
    }
  }

  private static Fault invalid(String message, String hint) {
    return ErrorCode.INVALID_CONFIG.fault(
        message, hint.isEmpty() ? "correct the expression" : hint);
  }
}
