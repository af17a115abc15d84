package dev.substrat.server.console.agents;

import java.util.ArrayList;
import java.util.List;

/// Readable form of a JSON pointer: `/tools/0/description` is "tool 1, description".
record FieldLabel(String words) {
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
