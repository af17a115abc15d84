package dev.substrat.server.console.agents;

import java.util.ArrayList;
import java.util.List;

/// A place in a configuration as people say it: `/tools/0/description` is "tool 1, description".
record FieldLabel(String words) {
  static FieldLabel of(String pointer) {
    return from(pointer, 1);
  }

  /// The same inside of a field of the form, which says by itself what it holds.
  static FieldLabel within(String field, String pointer) {
    int parts = pointer.split("/").length;
    return switch (field) {
      case "tools", "categories" -> parts > 2 ? from(pointer, 1) : new FieldLabel("");
      case "servers", "settings" -> from(pointer, 2);
      default -> field.startsWith("skill.") ? ofSkill(pointer) : new FieldLabel("");
    };
  }

  /// Its name and what it requires have fields; everything else is told at its name.
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

  /// What is wrong there.
  String before(String message) {
    return words.isEmpty() ? message : words + ": " + message;
  }
}
