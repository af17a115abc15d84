package dev.substrat.server.console.approvals;

import com.fasterxml.jackson.databind.JsonNode;
import dev.substrat.console.RichText;
import dev.substrat.console.TextPreview;
import dev.substrat.console.approvals.PendingQuestion;
import dev.substrat.console.approvals.PendingQuestion.AnswerFields;
import dev.substrat.console.approvals.PendingQuestion.FieldBounds;
import dev.substrat.console.approvals.PendingQuestion.FieldKind;
import dev.substrat.console.approvals.PendingQuestion.FormComponent;
import dev.substrat.console.approvals.PendingQuestion.FormField;
import dev.substrat.console.approvals.PendingQuestion.QuestionOrigin;
import dev.substrat.platform.identity.Principal;
import dev.substrat.server.console.DisplayNames;
import dev.substrat.server.console.NamedValueConverter;
import dev.substrat.store.Tx;
import dev.substrat.tool.pending.PendingCall;
import dev.substrat.tool.pending.PendingCalls;
import dev.substrat.toolset.custom.AnswerForm;
import java.util.ArrayList;
import java.util.List;

/// Converts pending calls to questions of a page.
public final class QuestionReader {
  /// Maximum length of a heading.
  private static final int HEADING = 140;

  private static final int EXCERPT = 280;

  /// Number of characters that an excerpt is made from.
  static final int LINE = 2_000;

  /// Maximum length of the question text.
  private static final int MAX_LENGTH = 12_000;

  /// Maximum length of an argument, so that no inner scrolling is needed.
  private static final int MAX_ARGUMENT_LENGTH = 4_000;

  private final Tx tx;
  private final DisplayNames faces;
  private final boolean isOperator;

  public QuestionReader(Tx tx, Principal viewer) {
    this.tx = tx;
    this.faces = new DisplayNames(tx, viewer);
    this.isOperator = viewer.isOperator();
  }

  /// `back` is the page to return to after the answer.
  public PendingQuestion question(PendingCall call, String back) {
    AnswerForm form = AnswerForm.of(call);
    boolean isNameless = form.title().equals(call.tool());
    boolean isHeading = isNameless && !form.text().isBlank() && form.text().length() <= HEADING;
    var text = TextPreview.of(form.text(), MAX_LENGTH);
    return new PendingQuestion(
        call.id(),
        faces.of(call.owner()),
        call.tool(),
        isHeading ? form.text() : form.title(),
        isHeading ? List.of() : RichText.of(text.text()),
        text.missing(),
        NamedValueConverter.of(call.arguments(), MAX_ARGUMENT_LENGTH),
        call.argsHash(),
        new AnswerFields(component(form), fields(form)),
        origin(call),
        call.createdAt(),
        call.expiresAt(),
        back);
  }

  /// The same on one line.
  public static String heading(PendingCall call) {
    AnswerForm form = AnswerForm.of(call);
    boolean isNameless = form.title().equals(call.tool()) && !form.text().isBlank();
    return excerpt(isNameless ? form.text() : form.title());
  }

  static FormComponent component(AnswerForm form) {
    return switch (form.component()) {
      case "confirmAction" -> FormComponent.CONFIRM;
      case "approval" -> FormComponent.APPROVAL;
      case "choice" -> FormComponent.CHOICE;
      case "text" -> FormComponent.TEXT;
      default -> FormComponent.FORM;
    };
  }

  /// Form fields. Yes and no are buttons.
  static List<FormField> fields(AnswerForm form) {
    JsonNode properties = form.schema().path("properties");
    if (properties.isEmpty()) {
      return List.of(
          new FormField(
              AnswerFormReader.WHOLE,
              "Answer",
              FieldKind.JSON,
              "{}",
              "As JSON",
              true,
              List.of(),
              FieldBounds.NONE));
    }
    var required = new ArrayList<String>();
    form.schema().path("required").forEach(one -> required.add(one.asText()));
    return properties
        .propertyStream()
        .filter(one -> !isButton(component(form), one.getKey()))
        .map(one -> field(form, one.getKey(), one.getValue(), required.contains(one.getKey())))
        .toList();
  }

  private static boolean isButton(FormComponent component, String name) {
    return switch (component) {
      case CONFIRM -> name.equals("confirmed");
      case APPROVAL -> name.equals("approved");
      default -> false;
    };
  }

  private static FormField field(
      AnswerForm form, String name, JsonNode schema, boolean isRequired) {
    JsonNode value = form.values().path(name);
    JsonNode first = value.isMissingNode() ? schema.path("default") : value;
    var options = new ArrayList<String>();
    schema.path("enum").forEach(one -> options.add(words(one)));
    FieldKind kind =
        component(form) == FormComponent.TEXT
            ? FieldKind.LINES
            : AnswerFormReader.kind(schema, words(first));
    return new FormField(
        name,
        AnswerFormReader.label(schema, name),
        kind,
        first.isContainerNode() ? first.toPrettyString() : words(first),
        schema.path("description").asText(""),
        isRequired,
        options,
        FieldConstraints.of(schema, words(first)));
  }

  static String words(JsonNode value) {
    return value.isMissingNode() || value.isNull()
        ? ""
        : value.isTextual() ? value.asText() : value.toString();
  }

  /// Only operators see runs and messages.
  private QuestionOrigin origin(PendingCall call) {
    String space = call.sight().space() == null ? "" : call.sight().space();
    if (!isOperator) {
      return new QuestionOrigin(space, "", "", "");
    }
    String run = call.run() == null ? "" : call.run();
    String cause = PendingCalls.chain(tx, call.id()).cause();
    return tx.find(
            """
            select sender, substr(text, 1, LINE) as text from message where id = ?
            union all
            select author as sender, substr(text, 1, LINE) as text from space_message where id = ?
            """
                .replace("LINE", String.valueOf(LINE)),
            row ->
                new QuestionOrigin(
                    space, run, excerpt(row.text("text")), faces.of(row.text("sender")).handle()),
            cause,
            cause)
        .orElseGet(() -> new QuestionOrigin(space, run, "", ""));
  }

  /// Plain text on one line, without Markdown characters.
  public static String line(String text) {
    return excerpt(RichText.bare(TextPreview.of(text, LINE).text()));
  }

  public static String excerpt(String text) {
    String line = TextPreview.of(text, LINE).text().strip().replaceAll("\\s+", " ");
    return line.length() <= EXCERPT ? line : line.substring(0, EXCERPT) + " …";
  }
}
