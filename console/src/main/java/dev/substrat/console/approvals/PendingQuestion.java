package dev.substrat.console.approvals;

import dev.substrat.console.NamedPrincipal;
import dev.substrat.console.NamedValue;
import dev.substrat.console.RichText;
import dev.substrat.protocol.HiddenCharacters;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A call that waits for somebody, with everything they need to decide: who asks, what exactly, why
/// and until when. `missing` is how many characters of its text are not shown, `argsHash` names
/// exactly these arguments, `back` is the page they are led back to.
public record PendingQuestion(
    String call,
    NamedPrincipal asker,
    String tool,
    String title,
    List<RichText> text,
    int missing,
    List<NamedValue> arguments,
    String argsHash,
    Shape shape,
    Origin origin,
    Instant askedAt,
    @Nullable Instant expiresAt,
    String back) {

  /// What the answer looks like.
  public record Shape(Component component, List<Field> fields) {}

  /// How it is asked.
  public enum Component {
    CONFIRM,
    APPROVAL,
    CHOICE,
    TEXT,
    FORM
  }

  /// Something to fill in. `options` are what can be chosen, if it is a choice.
  public record Field(
      String name,
      String label,
      Kind kind,
      String value,
      String help,
      boolean isRequired,
      List<String> options,
      Bounds bounds) {

    public String id(String call) {
      return "f-" + call + "-" + name;
    }

    /// Whether what it begins with can be seen in it: a choice shows nothing that cannot be chosen.
    boolean showsItsValue() {
      return switch (kind) {
        case CHOICE -> value.isEmpty() || options.contains(value);
        case CHECK -> List.of("", "true", "false").contains(value);
        case LINE, LINES, NUMBER, JSON -> true;
      };
    }
  }

  /// What a browser can check while somebody still writes. `type` is that of the input; what is
  /// null is not limited. How long a text may be is not among it: browsers count other characters
  /// than schemas do, and cut off what they think is too long.
  public record Bounds(
      String type,
      @Nullable String min,
      @Nullable String max,
      @Nullable String step,
      @Nullable String minLength,
      @Nullable String pattern) {

    public static final Bounds NONE = new Bounds("text", null, null, null, null, null);
  }

  /// How a field is filled in.
  public enum Kind {
    LINE,
    LINES,
    NUMBER,
    CHECK,
    CHOICE,
    JSON
  }

  /// Where it was asked, in which run, and what led to it; what is not known is empty.
  public record Origin(String space, String run, String because, String becauseOf) {}

  /// Whether the form begins with everything that was given, so that nobody need read it twice. Its
  /// fields cannot mark hidden characters.
  public boolean showsArguments() {
    List<String> shown =
        shape.fields().stream().filter(Field::showsItsValue).map(Field::name).toList();
    return shape.component() == Component.FORM
        && !arguments.isEmpty()
        && !hasHidden()
        && arguments.stream().allMatch(one -> shown.contains(one.name()));
  }

  /// Whether no is an answer to it. To decline is something else then: not to answer at all.
  public boolean hasNo() {
    return shape.component() == Component.CONFIRM || shape.component() == Component.APPROVAL;
  }

  /// Whether something in the arguments cannot be seen, or makes them look like others.
  public boolean hasHidden() {
    return arguments.stream()
        .anyMatch(
            one -> HiddenCharacters.contains(one.name()) || HiddenCharacters.contains(one.value()));
  }

  /// Whether some of what was asked is too long to be shown. Nobody should decide without knowing.
  public boolean hasMore() {
    return missing > 0 || arguments.stream().anyMatch(one -> one.missing() > 0);
  }

  /// Where all of it is, as exact JSON.
  public String rawPath() {
    return action() + "/raw";
  }

  public String action() {
    return "/approvals/" + call;
  }
}
