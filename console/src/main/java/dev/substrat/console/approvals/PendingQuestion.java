package dev.substrat.console.approvals;

import dev.substrat.console.DisplayedPrincipal;
import dev.substrat.console.NamedValue;
import dev.substrat.console.RichText;
import dev.substrat.protocol.HiddenCharacters;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A pending call that needs a person: caller, exact arguments, cause and deadline. `missing` is
/// the number of characters of its text that are not shown, `argsHash` the hash of the arguments,
/// `back` the page to return to.
public record PendingQuestion(
    String call,
    DisplayedPrincipal asker,
    String tool,
    String title,
    List<RichText> text,
    int missing,
    List<NamedValue> arguments,
    String argsHash,
    AnswerFields shape,
    QuestionOrigin origin,
    Instant askedAt,
    @Nullable Instant expiresAt,
    String back) {

  /// Form of the answer.
  public record AnswerFields(FormComponent component, List<FormField> fields) {}

  /// UI component of the question.
  public enum FormComponent {
    CONFIRM,
    APPROVAL,
    CHOICE,
    TEXT,
    FORM
  }

  /// A form field. `options` are the values of a choice.
  public record FormField(
      String name,
      String label,
      FieldKind kind,
      String value,
      String help,
      boolean isRequired,
      List<String> options,
      FieldBounds bounds) {

    public String id(String call) {
      return "f-" + call + "-" + name;
    }

    /// Whether the field shows its initial value: a choice cannot show a value outside its options.
    boolean showsItsValue() {
      return switch (kind) {
        case CHOICE -> value.isEmpty() || options.contains(value);
        case CHECK -> List.of("", "true", "false").contains(value);
        case LINE, LINES, NUMBER, JSON -> true;
      };
    }
  }

  /// Constraints that the browser checks. `type` is the input type; null means no limit. There is
  /// no maximum length: browsers count characters differently than JSON Schema, and truncate the
  /// input.
  public record FieldBounds(
      String type,
      @Nullable String min,
      @Nullable String max,
      @Nullable String step,
      @Nullable String minLength,
      @Nullable String pattern) {

    public static final FieldBounds NONE = new FieldBounds("text", null, null, null, null, null);
  }

  /// Kind of a field.
  public enum FieldKind {
    LINE,
    LINES,
    NUMBER,
    CHECK,
    CHOICE,
    JSON
  }

  /// Space, run and causing message of the call; empty if unknown.
  public record QuestionOrigin(String space, String run, String because, String becauseOf) {}

  /// Whether the form fields already show all arguments. Not if there are hidden characters: form
  /// fields cannot mark them.
  public boolean isArgumentsInForm() {
    List<String> shown =
        shape.fields().stream().filter(FormField::showsItsValue).map(FormField::name).toList();
    return shape.component() == FormComponent.FORM
        && !arguments.isEmpty()
        && !hasHidden()
        && arguments.stream().allMatch(one -> shown.contains(one.name()));
  }

  /// Whether "no" is a possible answer. Declining then means to give no answer.
  public boolean hasNo() {
    return shape.component() == FormComponent.CONFIRM
        || shape.component() == FormComponent.APPROVAL;
  }

  /// Whether the arguments contain hidden characters.
  public boolean hasHidden() {
    return arguments.stream()
        .anyMatch(
            one -> HiddenCharacters.contains(one.name()) || HiddenCharacters.contains(one.value()));
  }

  /// Whether text or arguments are cut. The page then warns before the decision.
  public boolean hasMore() {
    return missing > 0 || arguments.stream().anyMatch(one -> one.missing() > 0);
  }

  /// Path of the exact arguments as JSON.
  public String rawPath() {
    return action() + "/raw";
  }

  public String action() {
    return "/approvals/" + call;
  }
}
