package dev.substrat.server.console.agents;

import dev.substrat.console.ReasonFormatter;
import dev.substrat.console.agents.AgentDraft;
import dev.substrat.console.agents.DraftProblems;
import dev.substrat.protocol.ErrorCode;
import dev.substrat.protocol.Fault;
import dev.substrat.protocol.Problem.ProblemDetail;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/// Maps faults of a configuration to form fields.
///
/// A fault has JSON pointers in its details or at the start of its message.
final class FieldProblems {
  private static final Pattern ITEM =
      Pattern.compile("^/(skills|categories)/(\\d+)(?:/(\\w+).*)?$");

  private FieldProblems() {}

  static DraftProblems of(Fault fault, AgentDraft draft) {
    var at = new LinkedHashMap<String, String>();
    var general = new ArrayList<String>();
    for (ProblemDetail detail : details(fault)) {
      Optional<String> field = field(detail.pointer(), draft);
      if (field.isPresent()) {
        String words = FieldLabel.within(field.get(), detail.pointer()).before(detail.message());
        at.merge(
            field.get(), ReasonFormatter.withSuggestion(words), (one, other) -> one + "; " + other);
      } else {
        general.add(
            ReasonFormatter.sentence(FieldLabel.of(detail.pointer()).before(detail.message())));
      }
    }
    if (at.isEmpty() && general.isEmpty()) {
      known(fault, draft)
          .ifPresentOrElse(
              field -> at.put(field, words(field, fault)),
              () ->
                  general.add(
                      ReasonFormatter.sentence(fault.message())
                          + " "
                          + ReasonFormatter.sentence(fault.hint())));
    }
    return new DraftProblems(Map.copyOf(at), List.copyOf(general));
  }

  /// Leaves out API hints.
  private static String words(String field, Fault fault) {
    return field.equals("parent")
        ? ReasonFormatter.sentence(fault.message())
            + " Choose an agent from the list, or leave the field empty."
        : ReasonFormatter.sentence(fault.message()) + " " + ReasonFormatter.sentence(fault.hint());
  }

  /// All errors at one field, for imported text.
  static DraftProblems atAll(Fault fault, String field) {
    List<ProblemDetail> details = details(fault);
    String words =
        details.isEmpty()
            ? ReasonFormatter.sentence(fault.message())
                + " "
                + ReasonFormatter.sentence(fault.hint())
            : details.stream()
                .map(one ->
                    ReasonFormatter.withSuggestion(
                        FieldLabel.of(one.pointer()).before(one.message())))
                .distinct()
                .collect(Collectors.joining("; "));
    return new DraftProblems(Map.of(field, words), List.of());
  }

  private static List<ProblemDetail> details(Fault fault) {
    List<ProblemDetail> details = fault.problem().details();
    if (details != null) {
      return details;
    }
    return ProblemDetail.placed(fault.message()).stream()
        .map(one -> new ProblemDetail(one.pointer(), one.message() + " (" + fault.hint() + ")"))
        .toList();
  }

  private static Optional<String> field(String pointer, AgentDraft draft) {
    Matcher item = ITEM.matcher(pointer);
    if (item.matches()) {
      return Optional.of(
          item.group(1).equals("categories")
              ? "categories"
              : "skill."
                  + draft.skills().get(Integer.parseInt(item.group(2))).key()
                  + ("requires".equals(item.group(3)) ? ".requires" : ".name"));
    }
    String[] parts = pointer.split("/");
    return switch (parts.length < 2 ? "" : parts[1]) {
      case "name", "handle", "description", "role", "parent", "systemPrompt", "tools" ->
          Optional.of(parts[1]);
      case "provider" -> Optional.of(providerField(parts.length > 2 ? parts[2] : ""));
      case "mcp" -> Optional.of("servers");
      case "limits" -> parts.length > 2 ? Optional.of("limits." + parts[2]) : Optional.empty();
      default -> Optional.empty();
    };
  }

  private static String providerField(String key) {
    return switch (key) {
      case "name" -> "provider";
      case "model" -> "model";
      default -> "settings";
    };
  }

  /// Field of faults without a JSON pointer.
  private static Optional<String> known(Fault fault, AgentDraft draft) {
    if (fault.code() == ErrorCode.NAME_TAKEN) {
      return Optional.of(fault.message().startsWith("the handle") ? "handle" : "name");
    }
    if (fault.code() == ErrorCode.AGENT_NOT_FOUND && !draft.parent().isEmpty()) {
      return Optional.of("parent");
    }
    return fault.code() == ErrorCode.UNKNOWN_PROVIDER ? Optional.of("provider") : Optional.empty();
  }

  /// Readable form of a JSON pointer: `/tools/0/description` is "tool 1, description".
  private record FieldLabel(String words) {
    static FieldLabel of(String pointer) {
      return from(pointer, 1);
    }

    /// The same, relative to a form field.
    static FieldLabel within(String field, String pointer) {
      int parts = pointer.split("/").length;
      return switch (field) {
        case "tools", "categories" -> parts > 2 ? from(pointer, 1) : new FieldLabel("");
        case "servers", "settings" -> from(pointer, 2);
        default -> field.startsWith("skill.") ? ofSkill(pointer) : new FieldLabel("");
      };
    }

    /// Errors of a skill without a form field are shown at its name.
    private static FieldLabel ofSkill(String pointer) {
      FieldLabel spot = from(pointer, 3);
      return spot.words.equals("name") || spot.words.startsWith("require")
          ? new FieldLabel("")
          : spot;
    }

    private static FieldLabel from(String pointer, int first) {
      var words = new ArrayList<String>();
      List<String> parts = List.of(pointer.split("/"));
      for (String part : parts.subList(Math.min(first, parts.size()), parts.size())) {
        if (part.matches("[0-9]{1,6}") && !words.isEmpty()) {
          words.add(one(words.removeLast()) + " " + (Integer.parseInt(part) + 1));
        } else {
          words.add(part.replace("~1", "/").replace("~0", "~"));
        }
      }
      return new FieldLabel(String.join(", ", words));
    }

    private static String one(String several) {
      return several.endsWith("ies")
          ? several.substring(0, several.length() - 3) + "y"
          : several.replaceAll("s$", "");
    }

    /// Prefixes an error message.
    String before(String message) {
      return words.isEmpty() ? message : words + ": " + message;
    }
  }
}
